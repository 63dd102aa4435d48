//! What a human decides about a pair of neighbours, read from `schema/bridges/OLD..NEW.toml`.

use std::cell::RefCell;
use std::collections::BTreeSet;

use serde::Deserialize;

use crate::error::{Error, Result};

/// The rules for one pair of neighbours, with a note of which have been used.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The older revision, `..`, and the newer one.
    #[serde(skip)]
    pub pair: String,
    /// Types that were given another name.
    #[serde(default)]
    pub rename: Vec<Rename>,
    /// Methods that only one of the two has.
    #[serde(default)]
    pub method: Vec<MethodRule>,
    /// Members that one requires, and what they get.
    #[serde(default)]
    pub default: Vec<DefaultRule>,
    /// Members that one requires in each message, and that the session knows.
    #[serde(default)]
    pub session: Vec<SessionRule>,
    /// Members that one requires, and without which there is nothing to say.
    #[serde(default)]
    pub require: Vec<RequireRule>,
    /// Members that mean the same though only one of the two names them.
    #[serde(default)]
    pub carry: Vec<CarryRule>,
    /// Lists that one bounds, and that are cut to fit.
    #[serde(default)]
    pub cut: Vec<CutRule>,
    /// What stands in for a kind that one doesn't know.
    #[serde(default)]
    pub substitute: Vec<SubstituteRule>,
    /// Kinds that one has no way to say.
    #[serde(default)]
    pub refuse: Vec<RefuseRule>,
    /// Members that become text where they are lost.
    #[serde(default)]
    pub text: Vec<TextRule>,
    #[serde(skip)]
    used: RefCell<BTreeSet<String>>,
}

/// A direction between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum To {
    /// To the older revision.
    Old,
    /// To the newer revision.
    New,
}

impl To {
    /// As rules have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }
}

/// A type that was given another name, or several.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rename {
    /// The name in the older revision.
    pub old: String,
    /// The names in the newer one; the first that fits is taken.
    pub new: Vec<String>,
    /// Why they are the same.
    pub reason: String,
}

/// Methods that only one of the two has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodRule {
    /// Their names on the wire.
    pub names: Vec<String>,
    /// What a refusal says.
    pub reason: String,
}

/// Members that one requires, and what they get.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DefaultRule {
    /// The revision that requires them.
    pub to: To,
    /// `Type.member`, or `*.member`.
    pub members: Vec<String>,
    /// What they get.
    pub value: serde_json::Value,
    /// Whether any other value can't be said without the member.
    #[serde(default)]
    pub only: bool,
    /// Why.
    pub reason: String,
}

/// A member that the session knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRule {
    /// The revision that has it.
    pub to: To,
    /// `Type.member`
    pub member: String,
    /// What of the session it is.
    pub source: SessionSource,
    /// Why.
    pub reason: String,
}

/// What a session knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionSource {
    /// The revision that is spoken.
    ProtocolVersion,
    /// What the client has declared.
    ClientCapabilities,
    /// What the client calls itself.
    ClientInfo,
}

/// Members without which there is nothing to say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequireRule {
    /// The revision that requires them.
    pub to: To,
    /// `Type.member`
    pub members: Vec<String>,
    /// Why.
    pub reason: String,
}

/// Members that mean the same though only one of the two names them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarryRule {
    /// `Type.member`
    pub members: Vec<String>,
    /// Why.
    pub reason: String,
}

/// Lists that are cut to fit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CutRule {
    /// The revision that bounds them.
    pub to: To,
    /// `Type.member`
    pub members: Vec<String>,
    /// Why what is beyond the bound can go.
    pub reason: String,
}

/// What stands in for a kind that one doesn't know.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubstituteRule {
    /// The revision that doesn't know it.
    pub to: To,
    /// Its types; `Union.?` for a kind that its own revision doesn't know, `[Type]` for a list.
    pub types: Vec<String>,
    /// What takes its place in its own revision; `{/pointer}` is filled in from the original.
    pub with: serde_json::Value,
    /// Whether a list gives its first item instead, and `with` is for the empty one.
    #[serde(default)]
    pub first: bool,
    /// Why.
    pub reason: String,
}

/// Kinds that one has no way to say.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RefuseRule {
    /// The revision that can't say them.
    pub to: To,
    /// Their types.
    pub types: Vec<String>,
    /// What a refusal says.
    pub reason: String,
}

/// A member that becomes text where it is lost.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRule {
    /// The revision that loses it.
    pub to: To,
    /// `Type.member`
    pub member: String,
    /// The list of content beside it that gains the text.
    pub into: String,
    /// The type of block that makes it needless.
    pub unless: String,
    /// The block; `{}` is the text of the member.
    pub with: serde_json::Value,
    /// Why.
    pub reason: String,
}

impl Rules {
    /// Reads the rules for a pair, `<old>..<new>`.
    ///
    /// # Errors
    /// If the text isn't TOML of that form; the message has the line.
    pub fn read(pair: &str, text: &str) -> Result<Self> {
        let rules = toml::from_str(text).map_err(|error| {
            let message = format!("not as expected: {}", error.to_string().trim_end());
            Error::new(format!("schema/bridges/{pair}.toml"), "#", message, "")
        })?;
        Ok(Self { pair: pair.to_owned(), ..rules })
    }

    /// Notes that a rule was used.
    pub fn mark(&self, key: impl Into<String>) {
        self.used.borrow_mut().insert(key.into());
    }

    /// Refuses rules that nothing used: they are about something that is gone.
    ///
    /// # Errors
    /// One fault for each.
    pub fn unused(&self) -> Result<()> {
        let mut keys: Vec<String> = Vec::new();
        keys.extend(
            self.rename.iter().flat_map(|rule| rule.new.iter().map(|new| format!("rename {} {new}", rule.old))),
        );
        keys.extend(self.method.iter().flat_map(|rule| rule.names.iter().map(|name| format!("method {name}"))));
        keys.extend(self.default.iter().flat_map(|rule| rule.members.iter().map(|member| format!("default {member}"))));
        keys.extend(self.session.iter().map(|rule| format!("session {}", rule.member)));
        keys.extend(self.require.iter().flat_map(|rule| rule.members.iter().map(|member| format!("require {member}"))));
        keys.extend(self.carry.iter().flat_map(|rule| rule.members.iter().map(|member| format!("carry {member}"))));
        keys.extend(self.cut.iter().flat_map(|rule| rule.members.iter().map(|member| format!("cut {member}"))));
        keys.extend(self.substitute.iter().flat_map(|rule| rule.types.iter().map(|ty| format!("substitute {ty}"))));
        keys.extend(self.refuse.iter().flat_map(|rule| rule.types.iter().map(|ty| format!("refuse {ty}"))));
        keys.extend(self.text.iter().map(|rule| format!("text {}", rule.member)));
        let used = self.used.borrow();
        Error::all(keys.into_iter().filter(|key| !used.contains(key)).map(|key| {
            let file = format!("schema/bridges/{}.toml", self.pair);
            Error::new(
                file,
                key,
                "explains no difference between the two",
                "remove it, or correct its name or its `to`",
            )
        }))
    }

    /// Whether a type of the older revision goes by another name in the newer one.
    pub fn renamed(&self, here: &str, there: &str, to: To) -> Option<bool> {
        let names = |rule: &Rename| match to {
            To::New => (rule.old == here, rule.new.iter().any(|new| new == there)),
            To::Old => (rule.new.iter().any(|new| new == here), rule.old == there),
        };
        let mut known = None;
        for rule in &self.rename {
            match names(rule) {
                (true, true) => return Some(true),
                (true, false) => known = Some(false),
                _ => {}
            }
        }
        known
    }

    /// The value that a member gets in the revision that requires it.
    pub fn default(&self, to: To, ty: &str, member: &str) -> Option<&DefaultRule> {
        let keys = [format!("{ty}.{member}"), format!("*.{member}")];
        self.default.iter().filter(|rule| rule.to == to).find(|rule| {
            let found = rule.members.iter().find(|known| keys.contains(known));
            found.inspect(|key| self.mark(format!("default {key}"))).is_some()
        })
    }

    /// Whether the session gives a member.
    pub fn session(&self, to: To, ty: &str, member: &str) -> bool {
        let key = format!("{ty}.{member}");
        let found = self.session.iter().any(|rule| rule.to == to && rule.member == key);
        if found {
            self.mark(format!("session {key}"));
        }
        found
    }

    /// Whether a rule says that nothing can be said without a member.
    pub fn require(&self, to: To, ty: &str, member: &str) -> bool {
        let key = format!("{ty}.{member}");
        let found = self.require.iter().any(|rule| rule.to == to && rule.members.contains(&key));
        if found {
            self.mark(format!("require {key}"));
        }
        found
    }

    /// Whether a list is cut to fit.
    pub fn cut(&self, to: To, place: &str) -> bool {
        let found = self.cut.iter().any(|rule| rule.to == to && rule.members.iter().any(|member| member == place));
        if found {
            self.mark(format!("cut {place}"));
        }
        found
    }

    /// Whether a member means the same in both.
    pub fn carried(&self, ty: &str, member: &str) -> bool {
        let key = format!("{ty}.{member}");
        let found = self.carry.iter().any(|rule| rule.members.contains(&key));
        if found {
            self.mark(format!("carry {key}"));
        }
        found
    }

    /// Whether a rule says what becomes of a kind that the other revision doesn't know.
    pub fn kind(&self, to: To, label: &str) -> bool {
        let substituted = self.substitute.iter().any(|rule| rule.to == to && rule.types.iter().any(|ty| ty == label));
        if substituted {
            self.mark(format!("substitute {label}"));
        }
        let refused = self.refuse.iter().any(|rule| rule.to == to && rule.types.iter().any(|ty| ty == label));
        if refused {
            self.mark(format!("refuse {label}"));
        }
        substituted || refused
    }
}
