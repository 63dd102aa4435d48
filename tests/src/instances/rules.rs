//! A schema that has been loaded: its definitions, and a judge for each of them.

use super::compile::compile;
use super::model::{Model, NodeId, Shape};
use jsonschema::{Validator, ValidatorMap};
use serde_json::Value;
use std::sync::OnceLock;

/// A loaded schema of one revision.
///
/// A schema is a fixture of a test: whatever is wrong with it is a panic that says so.
#[derive(Debug)]
pub struct Rules {
    schema: Value,
    /// The keyword that holds the definitions; it differs between JSON Schema's own revisions.
    keyword: &'static str,
    model: Model,
    judges: OnceLock<ValidatorMap>,
}

impl Rules {
    /// Loads a schema.
    ///
    /// # Panics
    ///
    /// If it is not an object with `$defs` or `definitions`.
    pub fn new(schema: Value) -> Rules {
        let keyword = if schema.get("$defs").is_some() { "$defs" } else { "definitions" };
        let Some(definitions) = schema.get(keyword).and_then(Value::as_object) else {
            panic!("the schema is not an object with `$defs` or `definitions`");
        };
        let model = compile(definitions);
        Rules { schema, keyword, model, judges: OnceLock::new() }
    }

    /// Loads a schema after replacing the nodes at some JSON pointers, in the order given; a
    /// leading `#` is allowed. This is how errata are applied.
    ///
    /// # Panics
    ///
    /// If a pointer leads nowhere, or as [`Rules::new`] does.
    pub fn with_replacements(mut schema: Value, replacements: &[(impl AsRef<str>, Value)]) -> Rules {
        for (pointer, replacement) in replacements {
            let pointer = pointer.as_ref();
            match schema.pointer_mut(pointer.trim_start_matches('#')) {
                Some(node) => *node = replacement.clone(),
                None => panic!("{pointer} leads nowhere in the schema; nothing to replace"),
            }
        }
        Rules::new(schema)
    }

    /// The names of all definitions, in the order of the schema.
    pub fn definitions(&self) -> impl Iterator<Item = &str> {
        self.model.names.iter().map(String::as_str)
    }

    /// The definitions as the schema has them, errata applied, by name.
    pub fn schemas(&self) -> &serde_json::Map<String, Value> {
        // `new` has looked.
        self.schema[self.keyword].as_object().expect("the schema has definitions")
    }

    /// The judge of one definition. `format` is an annotation to it, and it never looks outside the
    /// schema. The first call compiles the judges of all definitions: that takes as long as
    /// compiling a few of them one by one.
    ///
    /// # Panics
    ///
    /// If there is no such definition, or if the schema is no JSON schema or refers to something
    /// that isn't there.
    pub fn validator(&self, name: &str) -> &Validator {
        let judges = self.judges.get_or_init(|| {
            let options = jsonschema::options().offline().should_validate_formats(false);
            match options.build_map(&self.schema) {
                Ok(judges) => judges,
                Err(error) => panic!("the schema does not compile: {error}"),
            }
        });
        match judges.get(&format!("#/{}/{name}", self.keyword)) {
            Some(judge) => judge,
            None => panic!("the schema does not define {name}"),
        }
    }

    pub(super) fn model(&self) -> &Model {
        &self.model
    }

    pub(super) fn node(&self, name: &str) -> NodeId {
        match self.model.definition(name) {
            Some(node) => node,
            None => panic!("the schema does not define {name}"),
        }
    }

    /// Tells whether an object definition requires a member.
    pub(super) fn requires(&self, name: &str, member: &str) -> bool {
        let Some(node) = self.model.definition(name) else {
            return false;
        };
        match self.model.shape(node) {
            Shape::Object(object) => object.member(member).is_some_and(|member| member.required),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn schema() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": {
                "Count": {"type": "integer"},
                "Place": {
                    "type": "object",
                    "properties": {"uri": {"type": "string", "format": "uri"}},
                    "required": ["uri"],
                },
            },
        })
    }

    #[test]
    fn each_definition_has_its_judge() {
        let rules = Rules::new(schema());
        assert_eq!(rules.definitions().collect::<Vec<_>>(), ["Count", "Place"]);
        assert!(rules.validator("Count").is_valid(&json!(1.0)));
        assert!(!rules.validator("Count").is_valid(&json!(1.5)));
        assert!(!rules.validator("Place").is_valid(&json!({})));
        assert!(rules.requires("Place", "uri"));
    }

    #[test]
    fn format_is_an_annotation() {
        let rules = Rules::new(schema());
        assert!(rules.validator("Place").is_valid(&json!({"uri": "no uri at all"})));
    }

    #[test]
    fn errata_are_applied_before_anything_is_compiled() {
        let number = [("#/$defs/Count", json!({"type": "number"}))];
        let rules = Rules::with_replacements(schema(), &number);
        assert!(rules.validator("Count").is_valid(&json!(1.5)));
    }

    #[test]
    #[should_panic(expected = "leads nowhere")]
    fn an_erratum_that_does_not_apply_is_an_error() {
        Rules::with_replacements(schema(), &[("/$defs/Gone", json!({}))]);
    }
}
