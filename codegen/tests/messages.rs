//! What the generator says when it stops: where, what it expected, and what to do next.

use mcprism_codegen::decisions::revisions;
use mcprism_codegen::{DecisionTexts, Decisions, Result, Source, model};

/// A schema without a fault, for decisions about it.
const SCHEMA: &str = r##"{"$defs": {
    "Reply": {"type": "object", "properties": {"content": {"type": "array", "items": {"type": "string"}}}},
    "TellRequest": {
        "type": "object",
        "properties": {"method": {"const": "tell"}, "params": {"type": "object", "properties": {"a": {"type": "string"}}}},
        "required": ["method"]
    },
    "TellResult": {"type": "object"},
    "ClientRequest": {"anyOf": [{"$ref": "#/$defs/TellRequest"}]}
}}"##;

fn read(texts: &DecisionTexts) -> Decisions {
    Decisions::read(texts, true).unwrap_or_else(|error| panic!("{error}"))
}

fn run(schema: &str, texts: &DecisionTexts) -> Result<()> {
    let source = Source { version: "2025-11-25".to_owned(), text: schema.to_owned(), era: None };
    model(&source, &Decisions::read(texts, true)?, None).map(drop)
}

/// Decisions without a fault, and without docs.
fn texts() -> DecisionTexts {
    let methods = "[[free]]\nmethods = [\"tell\"]\nreason = \"Everybody may tell.\"\n";
    DecisionTexts { methods: methods.to_owned(), ..DecisionTexts::default() }
}

/// What is said of a schema.
fn said(schema: &str) -> String {
    run(schema, &texts()).expect_err("it has a fault").to_string()
}

/// What is said of decisions.
fn said_of(texts: DecisionTexts) -> String {
    run(SCHEMA, &texts).expect_err("they have a fault").to_string()
}

#[test]
fn a_schema_that_has_no_lowering() {
    assert_eq!(
        said(r#"{"$defs": {"Task": {"type": "object", "properties": {"ttl": {"const": 0.5}}}}}"#),
        "2025-11-25 #/$defs/Task/properties/ttl: const 0.5 has no lowering; \
         add one in lower.rs, or correct the schema with an erratum"
    );
    assert_eq!(
        said(
            r##"{"definitions": {"Task": {"anyOf": [{"$ref": "#/definitions/A"}], "items": {"type": "null"}}, "A": {}}}"##
        ),
        "2025-11-25 #/definitions/Task: `anyOf` or `allOf` beside other keywords has no lowering; \
         add one in lower.rs, or correct the schema with an erratum"
    );
}

#[test]
fn a_schema_that_cannot_be_read() {
    assert_eq!(
        said(r#"{"$defs": {"Task": {"type": "object", "properties": {"ttl": {"type": "int"}}}}}"#),
        "2025-11-25 #/$defs/Task/properties/ttl/type: unknown type \"int\"; see the JSON Schema specification"
    );
    assert_eq!(
        said(r#"{"$defs": {"Task": {"properties": {"a/b~c": {"pattern": "x"}}}}}"#),
        "2025-11-25 #/$defs/Task/properties/a~1b~0c/pattern: keyword `pattern` is not read; teach document.rs to read it"
    );
    assert_eq!(
        said(r#"{"$defs": {"Task": {"x-nullable": true}}}"#),
        "2025-11-25 #/$defs/Task/x-nullable: unknown keyword `x-nullable`; add it to document.rs, as a rule or as an annotation"
    );
    assert_eq!(said("[]"), "2025-11-25 #: expected a JSON object; is this a schema.json?");
}

#[test]
fn all_faults_of_a_step_in_one_error() {
    let schema =
        r##"{"$defs": {"Task": {"properties": {"a": {"$ref": "#/$defs/A"}, "b": {"items": {"$ref": "#/$defs/B"}}}}}}"##;
    let error = run(schema, &DecisionTexts::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2025-11-25 #/$defs/Task/properties/a: `$ref` to `A`, which is not defined; \
         define it, or correct the reference with an erratum\n\
         2025-11-25 #/$defs/Task/properties/b/items: `$ref` to `B`, which is not defined; \
         define it, or correct the reference with an erratum"
    );
    let [first, second] = error.faults() else { panic!("two faults") };
    assert_eq!((first.revision.as_str(), first.pointer.as_str()), ("2025-11-25", "#/$defs/Task/properties/a"));
    assert_eq!(second.message, "`$ref` to `B`, which is not defined");
    assert_eq!(second.advice, "define it, or correct the reference with an erratum");
}

#[test]
fn an_erratum_that_no_longer_applies() {
    let erratum = |pointer: &str, old: &str| DecisionTexts {
        errata: format!(
            "[[erratum]]\nrevisions = [\"2025-11-25\"]\npointer = \"{pointer}\"\nold = \"{old}\"\nnew = \"object\"\nreason = \"\"\nlink = \"\""
        ),
        ..texts()
    };
    assert_eq!(
        said_of(erratum("Reply/properties/content/type", "string")),
        "2025-11-25 #/$defs/Reply/properties/content/type: the erratum expects \"string\" here; \
         if upstream has corrected it, take the revision out of errata.toml"
    );
    assert_eq!(
        said_of(erratum("Answer/type", "array")),
        "2025-11-25 #/$defs/Answer/type: the erratum expects \"array\" here; \
         if upstream has corrected it, take the revision out of errata.toml"
    );
}

#[test]
fn an_erratum_that_fits_another_revision() {
    let errata = "[[erratum]]\nrevisions = [\"2025-06-18\"]\npointer = \"Reply/type\"\nold = \"object\"\nnew = \"array\"\n\
                  reason = \"\"\nlink = \"\"";
    assert_eq!(
        said_of(DecisionTexts { errata: errata.to_owned(), ..texts() }),
        "2025-11-25 #/$defs/Reply/type: the erratum of 2025-06-18 fits here too; \
         in errata.toml, add \"2025-11-25\" to its `revisions`, or to `not_in` if it is right here"
    );
}

#[test]
fn a_method_without_a_word_on_capabilities() {
    let error = run(SCHEMA, &DecisionTexts::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "2025-11-25 #/$defs/TellRequest: nothing says what has to be declared before `tell`; \
         add to methods.toml a [[capability]] for it, or, if nothing has to be:\n\n\
         [[free]]\nmethods = [\"tell\"]\nreason = \"…\"\n"
    );
}

#[test]
fn a_tolerance_for_something_else() {
    let errata = "[[tolerance]]\nrevisions = [\"2025-11-25\"]\nmember = \"Reply.content\"\nreason = \"\"\nlink = \"\"";
    assert_eq!(
        said_of(DecisionTexts { errata: errata.to_owned(), ..texts() }),
        "2025-11-25 errata.toml Reply.content: `Reply.content` is no required list, but a tolerance says so; \
         correct or remove the tolerance"
    );
}

#[test]
fn a_line_of_docs_that_is_missing() {
    let docs = "[types]\nClientRequest = \"x\"\nTellRequest = \"x\"\nTellResult = \"x\"\nTellRequestParams = \"x\"";
    assert_eq!(
        said_of(DecisionTexts { docs: docs.to_owned(), ..texts() }),
        "2025-11-25 #/$defs/Reply: no line on the type `Reply`; add to docs.toml: [types] Reply = \"…\"\n\
         2025-11-25 #/$defs/TellRequest: no line on the method `tell`; add to docs.toml: [methods] \"tell\" = \"…\""
    );
}

#[test]
fn a_result_that_nothing_says() {
    let schema = SCHEMA.replace("TellResult", "ToldResult");
    assert_eq!(
        said(&schema),
        "2025-11-25 #/$defs/TellRequest: nothing says what `tell` results in; \
         add to methods.toml:\n\n[[result]]\nmethod = \"tell\"\ntype = \"…\"\n"
    );
}

#[test]
fn a_capability_that_is_not_there() {
    let methods = "[[capability]]\nmethod = \"tell\"\nsender = \"client\"\ndeclared_by = \"server\"\npath = \"tales\"\n\
                   revisions = [\"2025-11-25\"]\npage = \"\"";
    assert_eq!(
        said_of(DecisionTexts { methods: methods.to_owned(), ..DecisionTexts::default() }),
        "2025-11-25 #/$defs/ServerCapabilities: no capability `tales`, which `tell` is said to need; \
         correct the rule in methods.toml"
    );
}

#[test]
fn arms_that_look_alike() {
    let schema = r##"{"$defs": {
        "A": {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]},
        "B": {"type": "object", "properties": {"x": {"type": "string"}}},
        "Either": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]},
        "Words": {"anyOf": [{"type": "string"}, {"enum": ["yes", "no"]}]}
    }}"##;
    let docs = "[types]\nA = \"x\"\nB = \"x\"\nEither = \"x\"\nWords = \"x\"\nWordsItem = \"x\"".to_owned();
    let error = run(schema, &DecisionTexts { docs, ..texts() }).unwrap_err();
    let advice = |ty: &str| {
        format!(
            "give another order, or keep it raw; in unions.toml:\n\n[[precedence]]\norder = [\"…\", \"…\"]\n\
             reason = \"…\"\n\nor\n\n[[raw]]\ntype = \"{ty}\"\nreason = \"…\"\n"
        )
    };
    let [objects, strings] = error.faults() else { panic!("two faults") };
    assert_eq!(
        objects.to_string(),
        "2025-11-25 #/$defs/Either: the arms of `Either` can't be told apart: `A`, `B` overlap, and no rule says \
         which comes first; "
            .to_owned()
            + &advice("Either")
    );
    assert_eq!(
        strings.to_string(),
        "2025-11-25 #/$defs/Words: the arms of `Words` can't be told apart: several of them are Strings; ".to_owned()
            + &advice("Words")
    );
}

#[test]
fn decisions_that_are_not_toml_of_their_form() {
    let texts = DecisionTexts { unions: "[name]\nx = \"X\"\n[[raw]]\nkind = 1".to_owned(), ..DecisionTexts::default() };
    let error = Decisions::read(&texts, true).unwrap_err().to_string();
    let expected = "schema/unions.toml #: not as expected: TOML parse error at line 4, column 1\n";
    assert!(error.starts_with(expected), "{error}");
    let error = revisions("[2025-11-25]\nera = \"future\"").unwrap_err().to_string();
    let expected = "schema/revisions.toml #: not as expected: TOML parse error at line 2, column 7\n";
    assert!(error.starts_with(expected), "{error}");
}

#[test]
fn decisions_that_nothing_uses() {
    let texts = DecisionTexts {
        errata: r#"
            [[erratum]]
            revisions = ["2024-11-05"]
            pointer = "Reply/type"
            old = "string"
            new = "array"
            reason = ""
            link = ""
            [[tolerance]]
            revisions = ["2024-11-05"]
            member = "Reply.content"
            reason = ""
            link = ""
        "#
        .to_owned(),
        methods: r#"
            [[result]]
            method = "ask"
            type = "TellResult"
            [[alternative]]
            method = "tell"
            type = "Gone"
            revisions = ["2025-11-25"]
            [[capability]]
            method = "tell"
            sender = "client"
            declared_by = "server"
            path = "tales"
            when = { member = "kind", equals = "long" }
            page = ""
            [[free]]
            methods = ["tell", "dance"]
            reason = ""
        "#
        .to_owned(),
        unions: r#"
            name = { "Reply.mood" = "Mood" }
            precedence = [{ order = ["A", "B"], reason = "" }]
            raw = [{ type = "Either", reason = "" }]
            opaque = [{ member = "Reply.schema", reason = "" }]
            incomplete = [{ type = "Reply", members = ["content"], reason = "" }]
        "#
        .to_owned(),
        docs: r#"
            [types]
            Reply = "x"
            ClientRequest = "x"
            TellRequest = "x"
            TellRequestParams = "x"
            TellResult = "x"
            Gone = "x"
            [methods]
            tell = "x"
            ask = "x"
            [fields]
            "Reply.content" = "x"
            "*.a" = "x"
            "*.gone" = "x"
        "#
        .to_owned(),
    };
    let decisions = read(&texts);
    let source = Source { version: "2025-11-25".to_owned(), text: SCHEMA.to_owned(), era: None };
    model(&source, &decisions, None).unwrap_or_else(|error| panic!("{error}"));
    let unused = [
        "errata.toml 2024-11-05 Reply/type",
        "errata.toml 2024-11-05 Reply.content",
        "methods.toml result ask TellResult",
        "methods.toml 2025-11-25 alternative tell Gone",
        "methods.toml capability tell Client tales when kind=long",
        "methods.toml free dance",
        "unions.toml name Reply.mood",
        "unions.toml precedence A > B",
        "unions.toml incomplete Reply",
        "unions.toml raw Either",
        "unions.toml opaque Reply.schema",
        "docs.toml types.Gone",
        "docs.toml methods.ask",
        "docs.toml fields.*.gone",
    ];
    let expected =
        unused.map(|key| format!("{key}: applies to none of 2024-11-05, 2025-11-25; remove it, or correct its key"));
    let error = decisions.unused(&["2024-11-05", "2025-11-25"]).unwrap_err().to_string();
    assert_eq!(error.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_pass_that_does_not_exist() {
    let source = Source { version: "2025-11-25".to_owned(), text: SCHEMA.to_owned(), era: None };
    let error = model(&source, &Decisions::default(), Some("tag_union")).unwrap_err().to_string();
    let expected = "2025-11-25 --after: no pass `tag_union`; the passes are lower, fold_all_of, collect_methods, ";
    assert!(error.starts_with(expected), "{error}");
}
