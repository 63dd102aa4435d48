//! Resources and templates of resources from async functions.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use mcprism_types::v2025_11_25 as mcp;

use super::super::{Builder, Context};
use super::page::page;
use crate::error::{Error, Result};
use crate::sorted::Sorted;
use crate::uri_template::{UriTemplate, Variables};

/// How long a URI may be that is looked for among the templates.
const URI_LIMIT: usize = 16 * 1024;

type Reading = Pin<Box<dyn Future<Output = Result<mcp::ReadResourceResult>> + Send>>;

/// The resources that were registered.
#[derive(Default)]
pub(in super::super) struct Resources {
    /// By URI.
    fixed: Sorted<Fixed>,
    /// By number, in the order in which they were registered.
    templates: Sorted<Template>,
}

struct Fixed {
    definition: mcp::Resource,
    read: Box<dyn Fn(Context) -> Reading + Send + Sync>,
}

struct Template {
    definition: mcp::ResourceTemplate,
    template: UriTemplate,
    read: ReadTemplate,
}

type ReadTemplate = Box<dyn Fn(String, Variables, Context) -> Reading + Send + Sync>;

/// What a resource holds.
pub trait ResourceOutput {
    /// The result of `resources/read` for the resource of this URI.
    fn into_result(self, uri: &str, mime_type: Option<&str>) -> mcp::ReadResourceResult;
}

impl ResourceOutput for mcp::ReadResourceResult {
    fn into_result(self, _: &str, _: Option<&str>) -> mcp::ReadResourceResult {
        self
    }
}

/// A text.
impl ResourceOutput for String {
    fn into_result(self, uri: &str, mime_type: Option<&str>) -> mcp::ReadResourceResult {
        let mut contents = mcp::TextResourceContents::new(self, uri);
        contents.mime_type = mime_type.map(str::to_owned);
        mcp::ReadResourceResult::new(vec![contents.into()])
    }
}

/// Bytes.
impl ResourceOutput for Vec<u8> {
    fn into_result(self, uri: &str, mime_type: Option<&str>) -> mcp::ReadResourceResult {
        let mut contents = mcp::BlobResourceContents::new(BASE64.encode(self), uri);
        contents.mime_type = mime_type.map(str::to_owned);
        mcp::ReadResourceResult::new(vec![contents.into()])
    }
}

impl Builder {
    /// Registers a resource, as its definition says; the function reads it. A failure of it is answered as it is:
    /// see [`Error::resource_not_found`].
    ///
    /// Specification: `server/resources`.
    #[must_use]
    pub fn resource<O, F, T>(mut self, definition: mcp::Resource, function: F) -> Self
    where
        O: ResourceOutput,
        F: Fn(Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<O>> + Send + 'static,
    {
        let uri = definition.uri.clone();
        if !uri.split_once(':').is_some_and(|(scheme, _)| is_scheme(scheme)) {
            return self.wrong(format!("the resource `{uri}`: a resource needs an absolute URI"));
        }
        let mime_type = definition.mime_type.clone();
        let of = uri.clone();
        let read = Box::new(move |context| -> Reading {
            let (reading, uri, mime_type) = (function(context), of.clone(), mime_type.clone());
            Box::pin(async move { Ok(reading.await?.into_result(&uri, mime_type.as_deref())) })
        });
        self.toolbox.has(super::resources);
        if self.toolbox.resources.fixed.insert(uri.clone(), Fixed { definition, read }).is_some() {
            return self.wrong(format!("two resources have the URI `{uri}`"));
        }
        self
    }

    /// Registers a template of resources, as its definition says. The function reads a resource whose URI
    /// matches: it gets the URI and the values of the variables. Resources of their own come first, then the
    /// templates in the order in which they were registered.
    ///
    /// A value may hold anything: one that names a file has to be checked, with [`Roots`](crate::roots::Roots).
    ///
    /// Specification: `server/resources`, Resource Templates; RFC 6570.
    #[must_use]
    pub fn resource_template<O, F, T>(mut self, definition: mcp::ResourceTemplate, function: F) -> Self
    where
        O: ResourceOutput,
        F: Fn(String, Variables, Context) -> T + Send + Sync + 'static,
        T: Future<Output = Result<O>> + Send + 'static,
    {
        let template = match UriTemplate::parse(&definition.uri_template) {
            Ok(template) => template,
            Err(error) => return self.wrong(format!("the template `{}`: {error}", definition.uri_template)),
        };
        let mime_type = definition.mime_type.clone();
        let read: ReadTemplate = Box::new(move |uri, variables, context| {
            let (reading, mime_type) = (function(uri.clone(), variables, context), mime_type.clone());
            Box::pin(async move { Ok(reading.await?.into_result(&uri, mime_type.as_deref())) })
        });
        self.toolbox.has(super::resources);
        let number = format!("{:08}", self.toolbox.resources.templates.len());
        self.toolbox.resources.templates.insert(number, Template { definition, template, read });
        self
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

/// Registers the handlers for `resources/list`, `resources/templates/list` and `resources/read`.
pub(super) fn install(builder: Builder, resources: Arc<Resources>, size: Option<usize>) -> Builder {
    let (listed, templates) = (Arc::clone(&resources), Arc::clone(&resources));
    builder
        .on(move |list: mcp::ListResourcesRequest, _| {
            let cursor = list.params.and_then(|params| params.cursor);
            let found = page(&listed.fixed, cursor.as_deref(), size).map(|(resources, next)| {
                let resources = resources.iter().map(|(_, resource)| resource.definition.clone()).collect();
                let mut result = mcp::ListResourcesResult::new(resources);
                result.next_cursor = next;
                result
            });
            std::future::ready(found)
        })
        .on(move |list: mcp::ListResourceTemplatesRequest, _| {
            let cursor = list.params.and_then(|params| params.cursor);
            let found = page(&templates.templates, cursor.as_deref(), size).map(|(templates, next)| {
                let templates = templates.iter().map(|(_, template)| template.definition.clone()).collect();
                let mut result = mcp::ListResourceTemplatesResult::new(templates);
                result.next_cursor = next;
                result
            });
            std::future::ready(found)
        })
        .on(move |mcp::ReadResourceRequest { params, .. }: mcp::ReadResourceRequest, context| -> Reading {
            if let Some(resource) = resources.fixed.get(&params.uri) {
                return (resource.read)(context);
            }
            let short = params.uri.len() <= URI_LIMIT;
            let found = resources.templates.from("").iter().filter(|_| short).find_map(|(_, template)| {
                let variables = template.template.matches(&params.uri)?;
                Some((variables, &template.read))
            });
            match found {
                Some((variables, read)) => read(params.uri, variables, context),
                None => Box::pin(std::future::ready(Err(Error::resource_not_found(&params.uri)))),
            }
        })
}
