//! Reads the subset of JSON Schema that upstream really uses, and refuses the rest by name.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// A schema file: named schemas.
#[derive(Clone, Debug)]
pub struct Document {
    /// The name of the revision or draft.
    pub name: String,
    /// `definitions` or `$defs`, whichever the file uses.
    pub keyword: &'static str,
    /// The named schemas.
    pub definitions: BTreeMap<String, Schema>,
}

/// One schema.
#[derive(Clone, Debug, Default)]
pub struct Schema {
    /// Where it stands, as a JSON pointer fragment.
    pub pointer: String,
    /// `description`, where the prose was kept.
    pub description: Option<String>,
    /// The name of the definition that `$ref` points to.
    pub reference: Option<String>,
    /// The kinds in `type`; empty if there is no such keyword.
    pub types: Vec<Kind>,
    /// The value of `const`.
    pub constant: Option<Value>,
    /// The values of `enum`.
    pub values: Option<Vec<Value>>,
    /// The members in `properties`; `None` if there is no such keyword.
    pub properties: Option<BTreeMap<String, Self>>,
    /// The names in `required`.
    pub required: Vec<String>,
    /// `additionalProperties`.
    pub additional: Option<Additional>,
    /// `items`.
    pub items: Option<Box<Self>>,
    /// `anyOf` or `oneOf`.
    pub any_of: Vec<Self>,
    /// `allOf`.
    pub all_of: Vec<Self>,
    /// `minimum`.
    pub minimum: Option<f64>,
    /// `maximum`.
    pub maximum: Option<f64>,
    /// `minItems`.
    pub min_items: Option<u64>,
    /// `maxItems`.
    pub max_items: Option<u64>,
}

/// What members beside the named ones may be.
#[derive(Clone, Debug)]
pub enum Additional {
    /// `false`: there may be none.
    None,
    /// Whatever the schema says; `true` and `{}` allow anything.
    Schema(Box<Schema>),
}

/// The kinds that `type` tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string.
    String,
    /// Any number.
    Number,
    /// A whole number.
    Integer,
    /// A boolean.
    Boolean,
    /// Null.
    Null,
}

/// Keywords that don't change which values are valid.
const ANNOTATIONS: [&str; 12] = [
    "$schema",
    "$id",
    "$comment",
    "title",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "markdownDescription",
    "contentEncoding",
];

/// Keywords that do, and that no pass reads: ignoring one would accept what is invalid.
const UNREAD: [&str; 27] = [
    "pattern",
    "minLength",
    "maxLength",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "uniqueItems",
    "contains",
    "minContains",
    "maxContains",
    "minProperties",
    "maxProperties",
    "patternProperties",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "if",
    "then",
    "else",
    "not",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "unevaluatedProperties",
    "$dynamicRef",
    "$anchor",
    "$dynamicAnchor",
];

/// Characters that change the direction of text.
const DIRECTIONS: [char; 9] =
    ['\u{202A}', '\u{202B}', '\u{202C}', '\u{202D}', '\u{202E}', '\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}'];

/// How strict a reading is.
#[derive(Debug)]
pub struct Reading<'a> {
    name: &'a str,
    keyword: &'static str,
    /// Unknown keywords are errors; otherwise they are noted here.
    warnings: Option<&'a mut Vec<String>>,
}

/// Reads a schema. With `warnings`, unknown annotation keywords are noted there and pass; without,
/// they are errors.
///
/// # Errors
/// For whatever isn't in the subset, and for a `$ref` that leads nowhere; the message names the place.
pub fn read(name: &str, schema: &Value, warnings: Option<&mut Vec<String>>) -> Result<Document> {
    let fail = |message: &str, advice: &str| Err(Error::new(name, "#", message, advice));
    let (keyword, definitions) = match (schema.get("$defs"), schema.get("definitions")) {
        (Some(definitions), None) => ("$defs", definitions),
        (None, Some(definitions)) => ("definitions", definitions),
        (None, None) => return fail("neither `$defs` nor `definitions`", "is this a schema.json?"),
        _ => return fail("both `$defs` and `definitions`", "keep one of them"),
    };
    let Value::Object(definitions) = definitions else {
        return fail("expected an object of definitions", "is this a schema.json?");
    };
    let mut reading = Reading { name, keyword, warnings };
    let mut read = BTreeMap::new();
    let mut errors = Vec::new();
    for (definition, schema) in definitions {
        match reading.schema(&format!("#/{keyword}/{}", escape(definition)), schema, 0) {
            Ok(schema) => drop(read.insert(definition.clone(), schema)),
            Err(error) => errors.push(error),
        }
    }
    for schema in read.values() {
        dangling(name, schema, &read, definitions, &mut errors);
    }
    Error::all(errors)?;
    Ok(Document { name: name.to_owned(), keyword, definitions: read })
}

/// One step of a JSON pointer.
pub fn escape(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

fn dangling(
    name: &str,
    schema: &Schema,
    read: &BTreeMap<String, Schema>,
    all: &Map<String, Value>,
    errors: &mut Vec<Error>,
) {
    if let Some(target) =
        schema.reference.as_ref().filter(|target| !read.contains_key(*target) && !all.contains_key(*target))
    {
        errors.push(Error::new(
            name,
            &schema.pointer,
            format!("`$ref` to `{target}`, which is not defined"),
            "define it, or correct the reference with an erratum",
        ));
    }
    for child in schema.children() {
        dangling(name, child, read, all, errors);
    }
}

impl Schema {
    /// The schemas directly inside this one.
    pub fn children(&self) -> impl Iterator<Item = &Self> {
        let additional = match &self.additional {
            Some(Additional::Schema(schema)) => Some(&**schema),
            _ => None,
        };
        self.properties
            .iter()
            .flat_map(BTreeMap::values)
            .chain(additional)
            .chain(self.items.as_deref())
            .chain(&self.any_of)
            .chain(&self.all_of)
    }
}

/// Schemas nested deeper than this are refused, so that no pass can run out of stack.
const DEEPEST: usize = 64;

impl Reading<'_> {
    fn error<T>(&self, pointer: &str, message: impl Into<String>, advice: &str) -> Result<T> {
        Err(Error::new(self.name, pointer, message, advice))
    }

    fn schema(&mut self, pointer: &str, schema: &Value, depth: usize) -> Result<Schema> {
        let mut read = Schema { pointer: pointer.to_owned(), ..Schema::default() };
        if depth > DEEPEST {
            return self.error(pointer, "nested too deeply", "give the inner shapes names");
        }
        let keywords = match schema {
            Value::Bool(true) => return Ok(read),
            Value::Object(keywords) => keywords,
            _ => {
                return self.error(
                    pointer,
                    format!("expected a schema, found {schema}"),
                    "see the JSON Schema specification",
                );
            }
        };
        for (keyword, value) in keywords {
            let below = format!("{pointer}/{}", escape(keyword));
            match keyword.as_str() {
                "$ref" => read.reference = Some(self.reference(&below, value)?),
                // Neither a carriage return by itself nor a change of direction can stand in a comment.
                "description" => {
                    read.description = value
                        .as_str()
                        .map(|text| text.replace("\r\n", "\n").replace('\r', "\n").replace(DIRECTIONS, ""));
                }
                "type" => read.types = self.types(&below, value)?,
                "const" => read.constant = Some(value.clone()),
                "enum" => read.values = Some(self.array(&below, value)?.clone()),
                "properties" => {
                    let Value::Object(properties) = value else {
                        return self.error(
                            &below,
                            "expected an object of schemas",
                            "see the JSON Schema specification",
                        );
                    };
                    let properties = properties.iter().map(|(property, schema)| {
                        let schema = self.schema(&format!("{below}/{}", escape(property)), schema, depth + 1)?;
                        Ok((property.clone(), schema))
                    });
                    read.properties = Some(properties.collect::<Result<_>>()?);
                }
                "required" => {
                    for name in self.array(&below, value)? {
                        match name {
                            Value::String(name) => read.required.push(name.clone()),
                            _ => {
                                return self.error(
                                    &below,
                                    format!("expected a name, found {name}"),
                                    "see the JSON Schema specification",
                                );
                            }
                        }
                    }
                }
                "additionalProperties" => {
                    read.additional = Some(match value {
                        Value::Bool(false) => Additional::None,
                        schema => Additional::Schema(Box::new(self.schema(&below, schema, depth + 1)?)),
                    });
                }
                "items" => read.items = Some(Box::new(self.schema(&below, value, depth + 1)?)),
                "anyOf" | "oneOf" if read.any_of.is_empty() => read.any_of = self.schemas(&below, value, depth)?,
                "anyOf" | "oneOf" => return self.error(pointer, "both `anyOf` and `oneOf`", "keep one of them"),
                "allOf" => read.all_of = self.schemas(&below, value, depth)?,
                "minimum" => read.minimum = Some(self.number(&below, value)?),
                "maximum" => read.maximum = Some(self.number(&below, value)?),
                "minItems" => read.min_items = Some(self.count(&below, value)?),
                "maxItems" => read.max_items = Some(self.count(&below, value)?),
                // Every name is a string already.
                "propertyNames" if *value == serde_json::json!({"type": "string"}) => {}
                "propertyNames" => {
                    return self.error(
                        &below,
                        format!("keyword `propertyNames` is only read as {{\"type\": \"string\"}}, found {value}"),
                        "teach document.rs to read it",
                    );
                }
                known if ANNOTATIONS.contains(&known) => {}
                unread if UNREAD.contains(&unread) => {
                    return self.error(
                        &below,
                        format!("keyword `{unread}` is not read"),
                        "teach document.rs to read it",
                    );
                }
                unknown => match &mut self.warnings {
                    Some(warnings) => {
                        warnings.push(format!("{} {below}: unknown keyword `{unknown}` passed over", self.name))
                    }
                    None => {
                        return self.error(
                            &below,
                            format!("unknown keyword `{unknown}`"),
                            "add it to document.rs, as a rule or as an annotation",
                        );
                    }
                },
            }
        }
        Ok(read)
    }

    fn schemas(&mut self, pointer: &str, value: &Value, depth: usize) -> Result<Vec<Schema>> {
        let schemas = self.array(pointer, value)?.clone();
        if schemas.is_empty() {
            return self.error(pointer, "expected at least one schema", "no value fits an empty list");
        }
        schemas
            .iter()
            .enumerate()
            .map(|(at, schema)| self.schema(&format!("{pointer}/{at}"), schema, depth + 1))
            .collect()
    }

    fn array<'v>(&self, pointer: &str, value: &'v Value) -> Result<&'v Vec<Value>> {
        match value {
            Value::Array(values) => Ok(values),
            _ => self.error(pointer, format!("expected an array, found {value}"), "see the JSON Schema specification"),
        }
    }

    fn reference(&self, pointer: &str, value: &Value) -> Result<String> {
        let prefix = format!("#/{}/", self.keyword);
        match value.as_str().and_then(|target| target.strip_prefix(&prefix)) {
            Some(name) if !name.contains('/') => Ok(name.replace("~1", "/").replace("~0", "~")),
            _ => self.error(
                pointer,
                format!("`$ref` to {value}"),
                &format!("only references to {prefix}<name> are read"),
            ),
        }
    }

    fn types(&self, pointer: &str, value: &Value) -> Result<Vec<Kind>> {
        let names = match value {
            Value::String(_) => std::slice::from_ref(value),
            value => self.array(pointer, value)?,
        };
        let kind = |name: &Value| match name.as_str() {
            Some("object") => Ok(Kind::Object),
            Some("array") => Ok(Kind::Array),
            Some("string") => Ok(Kind::String),
            Some("number") => Ok(Kind::Number),
            Some("integer") => Ok(Kind::Integer),
            Some("boolean") => Ok(Kind::Boolean),
            Some("null") => Ok(Kind::Null),
            _ => self.error(pointer, format!("unknown type {name}"), "see the JSON Schema specification"),
        };
        names.iter().map(kind).collect()
    }

    fn number(&self, pointer: &str, value: &Value) -> Result<f64> {
        match value.as_f64() {
            Some(number) => Ok(number),
            None => {
                self.error(pointer, format!("expected a number, found {value}"), "see the JSON Schema specification")
            }
        }
    }

    fn count(&self, pointer: &str, value: &Value) -> Result<u64> {
        match value.as_u64() {
            Some(count) => Ok(count),
            None => {
                self.error(pointer, format!("expected a count, found {value}"), "see the JSON Schema specification")
            }
        }
    }
}
