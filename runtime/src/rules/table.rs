//! Every rule in one table: since and until when, how strong, where it stands, and what it says.
//!
//! Nothing else in this module compares revisions.

use mcprism_types::ProtocolVersion;

use super::{Breach, Force};

type Version = ProtocolVersion;

const FIRST: Version = Version::V2024_11_05;
const JUNE: Version = Version::V2025_06_18;
const NOVEMBER: Version = Version::V2025_11_25;
const MODERN: Version = Version::V2026_07_28;

/// A rule, and which revisions have it.
pub(super) struct Rule {
    since: Version,
    /// The last revision that has it; `None` if the latest does.
    until: Option<Version>,
    force: Force,
    page: &'static str,
    says: &'static str,
}

impl Rule {
    const fn must(since: Version, page: &'static str, says: &'static str) -> Self {
        Self { since, until: None, force: Force::Must, page, says }
    }

    const fn should(since: Version, page: &'static str, says: &'static str) -> Self {
        Self { since, until: None, force: Force::Should, page, says }
    }

    const fn until(self, last: Version) -> Self {
        Self { until: Some(last), ..self }
    }

    pub(super) fn holds_in(&self, version: Version) -> bool {
        self.since <= version && self.until.is_none_or(|last| version <= last)
    }

    pub(super) fn breach(&self, pointer: String) -> Breach {
        Breach { pointer, rule: self.says, page: self.page, force: self.force }
    }
}

pub(super) const TOOL_NAME: Rule = Rule::should(
    NOVEMBER,
    "server/tools",
    "a tool's name is 1 to 128 letters, digits, underscores, hyphens and dots, all of ASCII",
);
/// Up to 2025-06-18 the page calls the name a unique identifier; later it advises that it be unique.
pub(super) const TOOL_UNIQUE: Rule = Rule::should(FIRST, "server/tools", "no two tools have the same name");
/// The schemas of all revisions say so too, but the types keep a tool's schemas as they are.
pub(super) const INPUT_SCHEMA: Rule =
    Rule::must(FIRST, "server/tools", "`inputSchema` is a JSON Schema of type `object`, not null");
pub(super) const OUTPUT_SCHEMA: Rule =
    Rule::must(JUNE, "server/tools", "`outputSchema` is a JSON Schema of type `object`").until(NOVEMBER);
pub(super) const STRUCTURED: Rule =
    Rule::must(JUNE, "server/tools", "a tool with an output schema gives `structuredContent`, unless it failed");
/// Only judged with the feature `validate`.
#[cfg(feature = "validate")]
pub(super) const STRUCTURED_FITS: Rule =
    Rule::must(JUNE, "server/tools", "`structuredContent` fits the tool's `outputSchema`");
/// Not broken by any message: where it holds, null is structured content like any other value.
pub(super) const STRUCTURED_NULL: Rule =
    Rule::must(MODERN, "server/tools", "`structuredContent` may be any JSON value");

pub(super) const HEADER_NAME: Rule =
    Rule::must(MODERN, "server/tools", "`x-mcp-header` is a token as HTTP field names are, and not empty");
pub(super) const HEADER_UNIQUE: Rule =
    Rule::must(MODERN, "server/tools", "no two `x-mcp-header` of a tool differ in case only, or not at all");
pub(super) const HEADER_TYPE: Rule =
    Rule::must(MODERN, "server/tools", "`x-mcp-header` stands at a string, an integer or a boolean");
pub(super) const HEADER_PLACE: Rule = Rule::must(
    MODERN,
    "server/tools",
    "`x-mcp-header` stands where nothing but `properties` leads from the top of the schema",
);

pub(super) const ONLY_RESULTS: Rule =
    Rule::must(NOVEMBER, "client/sampling", "a user's message with tool results holds nothing else");
pub(super) const USE_ANSWERED: Rule = Rule::must(
    NOVEMBER,
    "client/sampling",
    "each tool use has its result in the very next message, which is the user's",
);
pub(super) const RESULT_ASKED: Rule =
    Rule::must(NOVEMBER, "client/sampling", "a tool result names a tool use of an earlier message");
pub(super) const INCLUDE_CONTEXT: Rule = Rule::should(
    NOVEMBER,
    "client/sampling",
    "`includeContext` is absent or `none`; other values are deprecated, and for clients with `sampling.context`",
);

pub(super) const FORM_FLAT: Rule =
    Rule::must(JUNE, "client/elicitation", "a form is a flat object: its schema neither nests nor combines schemas");
pub(super) const FORM_PRIMITIVE: Rule =
    Rule::must(JUNE, "client/elicitation", "a form's property is a string, a number, an integer or a boolean")
        .until(JUNE);
pub(super) const FORM_FIELD: Rule = Rule::must(
    NOVEMBER,
    "client/elicitation",
    "a form's property is a string, a number, an integer, a boolean or a choice of several strings",
);
pub(super) const FORM_TITLES: Rule = Rule::must(
    NOVEMBER,
    "client/elicitation",
    "`oneOf` of a form's property is a list of options, each with a string `const` and a `title`",
);
pub(super) const FORM_CHOICES: Rule = Rule::must(
    NOVEMBER,
    "client/elicitation",
    "`items` of a form's property is an enumeration of strings, or `anyOf` with a string `const` and a `title` each",
);
pub(super) const ELICITATION_URL: Rule =
    Rule::must(NOVEMBER, "client/elicitation", "`url` is a valid URL, and so absolute");

pub(super) const META_KEY: Rule = Rule::must(
    JUNE,
    "basic/index",
    "a key of `_meta` is a name, after a prefix of dotted labels and a slash if it has one",
);
pub(super) const META_RESERVED: Rule =
    Rule::should(JUNE, "basic/index", "prefixes of MCP's own are for keys that the specification defines");
pub(super) const TRACEPARENT: Rule =
    Rule::must(MODERN, "basic/index", "`traceparent` is written as W3C Trace Context has it");
pub(super) const SUBSCRIPTION: Rule = Rule::must(
    MODERN,
    "basic/index",
    "what is sent on a subscription has `io.modelcontextprotocol/subscriptionId` in `_meta`",
);
pub(super) const EXTENSION: Rule =
    Rule::must(MODERN, "basic/versioning", "an extension is named as keys of `_meta` are, and with a prefix");

pub(super) const ROOT: Rule = Rule::must(FIRST, "client/roots", "a root is a `file://` URI");
pub(super) const RESOURCE: Rule =
    Rule::must(JUNE, "server/resources", "a resource has an absolute URI as RFC 3986 says");
pub(super) const ICON: Rule = Rule::must(NOVEMBER, "basic/index", "an icon is at an `https:`, `http:` or `data:` URI");

pub(super) const COMPLETIONS: Rule =
    Rule::must(FIRST, "server/utilities/completion", "at most 100 values are suggested at once");

pub(super) const ROUND_METHOD: Rule = Rule::must(
    MODERN,
    "basic/patterns/mrtr",
    "input is only required by `prompts/get`, `resources/read` and `tools/call`",
);
pub(super) const ROUND_CONTENT: Rule =
    Rule::must(MODERN, "basic/patterns/mrtr", "where input is required, there are `inputRequests` or a `requestState`");

pub(super) const TASK_WORKING: Rule =
    Rule::must(NOVEMBER, "basic/utilities/tasks", "a task begins as `working`").until(NOVEMBER);
pub(super) const TASK_RELATED: Rule = Rule::must(
    NOVEMBER,
    "basic/utilities/tasks",
    "what a task resulted in names it in `_meta`, under `io.modelcontextprotocol/related-task`",
)
.until(NOVEMBER);
pub(super) const CANCELLED: Rule = Rule::must(
    NOVEMBER,
    "basic/utilities/cancellation",
    "a cancellation has a `requestId`; tasks are cancelled by `tasks/cancel`",
)
.until(NOVEMBER);

/// Which keys of `_meta` are MCP's own.
pub(super) struct Reserved {
    since: Version,
    /// Whether a prefix with these labels is reserved.
    pub(super) prefix: fn(&[&str]) -> bool,
    /// The keys that are defined. One that ends with a slash stands for all with this prefix.
    pub(super) defined: &'static [&'static str],
}

/// Latest first.
const RESERVED: &[Reserved] = &[
    // Official extensions define more keys below this prefix, so that any could be one.
    Reserved { since: MODERN, prefix: second, defined: &["io.modelcontextprotocol/"] },
    Reserved {
        since: NOVEMBER,
        prefix: second,
        defined: &["io.modelcontextprotocol/model-immediate-response", "io.modelcontextprotocol/related-task"],
    },
    Reserved { since: JUNE, prefix: any_but_last, defined: &[] },
];

/// What this revision reserves; `None` if it doesn't speak of it.
pub(super) fn reserved(version: Version) -> Option<&'static Reserved> {
    RESERVED.iter().find(|reserved| reserved.since <= version)
}

const OWN: [&str; 2] = ["modelcontextprotocol", "mcp"];

/// `io.modelcontextprotocol/` and `com.mcp.tools/`, but not `com.example.mcp/`.
fn second(labels: &[&str]) -> bool {
    labels.get(1).is_some_and(|label| OWN.contains(label))
}

/// `modelcontextprotocol.io/` and `tools.mcp.com/`: the name, and at least one label after it.
fn any_but_last(labels: &[&str]) -> bool {
    labels.split_last().is_some_and(|(_, front)| front.iter().any(|label| OWN.contains(label)))
}
