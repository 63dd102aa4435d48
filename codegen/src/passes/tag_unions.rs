//! Proves, from the schema, how to tell the arms of each union apart.

use std::collections::{BTreeMap, BTreeSet};

use crate::decisions::Decisions;
use crate::error::{Error, Result};
use crate::model::{JsonKind, Literal, Presence, Revision, Shape, Struct, Tree, Type};

/// After this pass every union has a decision tree, but for those that unions.toml calls raw (and,
/// in a schema that isn't ours, those that can't be told apart).
///
/// # Errors
/// If arms of a union of ours can't be told apart, or overlap without a rule of precedence.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    let before = revision.clone();
    let mut errors = Vec::new();
    for (name, definition) in &mut revision.definitions {
        let Shape::Union(union) = &mut definition.shape else { continue };
        if union.tree.is_some() {
            continue;
        }
        if decisions.unions.raw.iter().any(|raw| raw.ty == *name) {
            decisions.mark("unions.toml", format!("raw {name}"));
            continue;
        }
        let arms: Vec<(usize, Type)> = union.arms.iter().map(|arm| arm.ty.clone()).enumerate().collect();
        let mut prover = Prover { revision: &before, decisions, loose: Vec::new() };
        match prover.tree(&arms) {
            Ok(tree) => {
                union.tree = Some(tree);
                let place = format!("{} {}: `{name}`", before.version, definition.pointer);
                revision.warnings.extend(prover.loose.into_iter().map(|note| format!("{place}: {note}")));
            }
            Err(why) if decisions.strict => errors.push(Error::new(
                &before.version,
                &definition.pointer,
                format!("the arms of `{name}` can't be told apart: {why}"),
"give another order, or keep it raw; in unions.toml:\n\n[[precedence]]\norder = [\"…\", \"…\"]\nreason = \"…\"\n\n\
                 or\n\n[[raw]]\ntype = \"{name}\"\nreason = \"…\"\n".replace("{name}", name),
            )),
            Err(why) => revision.warnings.push(format!(
                "{} {}: the arms of `{name}` can't be told apart ({why}); it is raw JSON",
                before.version, definition.pointer
            )),
        }
    }
    Error::all(errors)?;
    Ok(revision)
}

struct Prover<'a> {
    revision: &'a Revision,
    decisions: &'a Decisions,
    loose: Vec<String>,
}

/// An object arm: what it is called, what it looks like, and which arm of the union it belongs to.
#[derive(Clone)]
struct Candidate {
    name: String,
    shape: Struct,
    arm: usize,
}

/// Candidates by the string that a member holds.
struct Split {
    path: Vec<String>,
    groups: BTreeMap<String, Vec<Candidate>>,
    /// Those that may lack the member.
    absent: Vec<Candidate>,
}

type Proof<T> = std::result::Result<T, String>;

impl Prover<'_> {
    fn tree(&mut self, arms: &[(usize, Type)]) -> Proof<Tree> {
        let mut kinds: BTreeMap<JsonKind, Vec<(usize, Type)>> = BTreeMap::new();
        for (at, ty) in arms {
            for kind in self.kinds(ty, 0)? {
                kinds.entry(kind).or_default().push((*at, ty.clone()));
            }
        }
        let trees = kinds
            .into_iter()
            .map(|(kind, arms)| Ok((kind, self.same_kind(kind, &arms)?)))
            .collect::<Proof<BTreeMap<_, _>>>()?;
        match trees.len() {
            // An object that is told apart by its members says itself that it has to be one.
            1 => match trees.into_iter().next() {
                Some((JsonKind::Object, tree @ (Tree::Tag { .. } | Tree::Keys { .. }))) => Ok(tree),
                Some((kind, tree)) => Ok(Tree::Kind(BTreeMap::from([(kind, tree)]))),
                None => Err("there are none".to_owned()),
            },
            _ => Ok(Tree::Kind(trees)),
        }
    }

    fn kinds(&self, ty: &Type, depth: usize) -> Proof<BTreeSet<JsonKind>> {
        if depth > self.revision.definitions.len() {
            return Err("a union contains itself".to_owned());
        }
        Ok(match ty {
            Type::Any | Type::Inline(_) | Type::AllOf(_) => return Err("one of them accepts anything".to_owned()),
            Type::Object | Type::Map(_) => [JsonKind::Object].into(),
            Type::String | Type::Literal(Literal::String(_)) => [JsonKind::String].into(),
            Type::Boolean | Type::Literal(Literal::Boolean(_)) => [JsonKind::Boolean].into(),
            Type::Integer(_) | Type::Number(_) | Type::Literal(Literal::Integer(_)) => [JsonKind::Number].into(),
            Type::Null => [JsonKind::Null].into(),
            Type::Array(..) => [JsonKind::Array].into(),
            Type::Boxed(inner) => self.kinds(inner, depth + 1)?,
            Type::Nullable(inner) => {
                let mut kinds = self.kinds(inner, depth + 1)?;
                kinds.insert(JsonKind::Null);
                kinds
            }
            Type::Named(name) => match self.revision.definitions.get(name).map(|definition| &definition.shape) {
                Some(Shape::Struct(_)) => [JsonKind::Object].into(),
                Some(Shape::Enum(_)) => [JsonKind::String].into(),
                Some(Shape::Constant(literal)) => self.kinds(&Type::Literal(literal.clone()), depth + 1)?,
                Some(Shape::Alias(ty)) => self.kinds(ty, depth + 1)?,
                Some(Shape::Union(union)) => {
                    let mut kinds = BTreeSet::new();
                    for arm in &union.arms {
                        kinds.extend(self.kinds(&arm.ty, depth + 1)?);
                    }
                    kinds
                }
                None => return Err(format!("`{name}` is not defined")),
            },
        })
    }

    fn same_kind(&mut self, kind: JsonKind, arms: &[(usize, Type)]) -> Proof<Tree> {
        let distinct: BTreeSet<usize> = arms.iter().map(|(at, _)| *at).collect();
        match arms {
            [(at, _), ..] if distinct.len() == 1 => Ok(Tree::Arm(*at)),
            _ if kind == JsonKind::Object => {
                let mut candidates = Vec::new();
                for (at, ty) in arms {
                    self.candidates(*at, ty, &mut candidates, 0)?;
                }
                self.objects(candidates)
            }
            _ => Err(format!("several of them are {kind:?}s")),
        }
    }

    fn candidates(&self, arm: usize, ty: &Type, found: &mut Vec<Candidate>, depth: usize) -> Proof<()> {
        if depth > self.revision.definitions.len() {
            return Err("a union contains itself".to_owned());
        }
        match ty {
            Type::Named(name) => match self.revision.definitions.get(name).map(|definition| &definition.shape) {
                Some(Shape::Struct(shape)) => found.push(Candidate { name: name.clone(), shape: shape.clone(), arm }),
                Some(Shape::Union(union)) => {
                    for inner in &union.arms {
                        self.candidates(arm, &inner.ty, found, depth + 1)?;
                    }
                }
                Some(Shape::Alias(ty)) => self.candidates(arm, ty, found, depth + 1)?,
                _ => {}
            },
            Type::Nullable(inner) | Type::Boxed(inner) => self.candidates(arm, inner, found, depth + 1)?,
            Type::Object | Type::Map(_) => return Err("one of them accepts any object".to_owned()),
            _ => {}
        }
        Ok(())
    }

    fn objects(&mut self, candidates: Vec<Candidate>) -> Proof<Tree> {
        let arms: BTreeSet<usize> = candidates.iter().map(|candidate| candidate.arm).collect();
        if let [only] = arms.iter().collect::<Vec<_>>().as_slice() {
            return Ok(Tree::Arm(**only));
        }
        match self.by_tag(&candidates) {
            Some(Split { path, groups, absent }) => {
                let mut cases = BTreeMap::new();
                for (value, group) in groups {
                    cases.insert(value, self.objects(group)?);
                }
                let absent = match absent.is_empty() {
                    true => None,
                    false => Some(Box::new(self.objects(absent)?)),
                };
                Ok(Tree::Tag { path, cases, absent })
            }
            None => self.by_keys(candidates),
        }
    }

    /// The member whose fixed strings split the candidates into the most groups: one of their own, or
    /// one of a member that they all have.
    fn by_tag(&self, candidates: &[Candidate]) -> Option<Split> {
        let first = candidates.first()?;
        let own = first.shape.fields.iter().map(|field| vec![field.wire_name.clone()]);
        let below = first.shape.fields.iter().filter_map(|field| Some((field, self.inner(&field.ty)?)));
        let below = below.flat_map(|(field, inner)| {
            inner.fields.iter().map(|below| vec![field.wire_name.clone(), below.wire_name.clone()])
        });
        let mut best: Option<Split> = None;
        for path in own.chain(below) {
            let Some(split) = self.split(path, candidates) else { continue };
            if best.as_ref().is_none_or(|best| best.groups.len() < split.groups.len()) {
                best = Some(split);
            }
        }
        best
    }

    /// The candidates by the strings at the end of a way, if all have such strings there.
    fn split(&self, path: Vec<String>, candidates: &[Candidate]) -> Option<Split> {
        let mut split = Split { path, groups: BTreeMap::new(), absent: Vec::new() };
        for candidate in candidates {
            let field = match split.path.as_slice() {
                [name] => candidate.shape.field(name)?,
                // What may be missing on the way can't be decided by.
                [name, below] => {
                    let outer = candidate.shape.field(name).filter(|field| field.presence == Presence::Required)?;
                    self.inner(&outer.ty)?.field(below).filter(|field| field.presence == Presence::Required)?
                }
                _ => return None,
            };
            for value in self.values(&field.ty)? {
                split.groups.entry(value).or_default().push(candidate.clone());
            }
            if field.presence == Presence::Optional {
                split.absent.push(candidate.clone());
            }
        }
        // Each arm in each group would be no progress.
        split.groups.values().any(|group| group.len() < candidates.len()).then_some(split)
    }

    /// The members of a member that is an object.
    fn inner(&self, ty: &Type) -> Option<&Struct> {
        match ty {
            Type::Named(name) => self.revision.structure(name),
            _ => None,
        }
    }

    /// The strings that a member can hold, if they are known.
    fn values(&self, ty: &Type) -> Option<Vec<String>> {
        match ty {
            Type::Literal(Literal::String(value)) => Some(vec![value.clone()]),
            Type::Named(name) => match self.revision.resolve(name)? {
                Shape::Enum(values) => Some(values.iter().map(|value| value.wire.clone()).collect()),
                Shape::Constant(Literal::String(value)) => Some(vec![value.clone()]),
                _ => None,
            },
            _ => None,
        }
    }

    /// By the presence of members. Objects are open, so arms overlap: the order decides.
    fn by_keys(&mut self, candidates: Vec<Candidate>) -> Proof<Tree> {
        let ordered = self.ordered(candidates)?;
        let (last, others) = ordered.split_last().ok_or("there are none")?;
        let mut present = Vec::new();
        for (at, candidate) in others.iter().enumerate() {
            let later = &ordered[at + 1..];
            let key = self.own_key(candidate, later, true).or_else(|| self.own_key(candidate, later, false));
            let key = key.ok_or_else(|| {
                let names: Vec<_> = later.iter().map(|other| format!("`{}`", other.name)).collect();
                format!("`{}` is tried first, but has no member of its own beside {}", candidate.name, names.join(", "))
            })?;
            present.push((key, Tree::Arm(candidate.arm)));
        }
        // The last arm is what remains, unless it requires something that says it is meant.
        let required = self
            .keys(last, true)
            .into_iter()
            .find(|key| key.len() == 1 && others.iter().all(|other| other.shape.field(&key[0]).is_none()));
        let required = required.or_else(|| self.keys(last, true).into_iter().next());
        let absent = match required {
            Some(key) => {
                present.push((key, Tree::Arm(last.arm)));
                // A list that is read as empty when it is absent says nothing by its absence.
                let lenient = |candidate: &&Candidate| {
                    candidate.shape.fields.iter().any(|field| field.presence == Presence::RequiredOrEmpty)
                };
                ordered.iter().find(lenient).map(|candidate| Box::new(Tree::Arm(candidate.arm)))
            }
            None => Some(Box::new(Tree::Arm(last.arm))),
        };
        Ok(Tree::Keys { present, absent })
    }

    fn ordered(&mut self, mut candidates: Vec<Candidate>) -> Proof<Vec<Candidate>> {
        let rule = self
            .decisions
            .unions
            .precedence
            .iter()
            .find(|rule| candidates.iter().all(|candidate| rule.order.contains(&candidate.name)));
        match rule {
            Some(rule) => {
                self.decisions.mark("unions.toml", rule.key());
                candidates.sort_by_key(|candidate| rule.order.iter().position(|name| *name == candidate.name));
                Ok(candidates)
            }
            None if self.decisions.strict => {
                let names: Vec<_> = candidates.iter().map(|candidate| format!("`{}`", candidate.name)).collect();
                Err(format!("{} overlap, and no rule says which comes first", names.join(", ")))
            }
            None => {
                // The arm with the most required members first: the others are looser.
                candidates.sort_by_key(|candidate| std::cmp::Reverse(self.keys(candidate, true).len()));
                self.loose.push(format!(
                    "overlapping arms are tried as {}",
                    candidates.iter().map(|candidate| candidate.name.as_str()).collect::<Vec<_>>().join(", ")
                ));
                Ok(candidates)
            }
        }
    }

    fn own_key(&self, candidate: &Candidate, others: &[Candidate], required: bool) -> Option<Vec<String>> {
        let declared = |other: &Candidate, key: &[String]| {
            self.keys(other, true).iter().chain(&self.keys(other, false)).any(|known| known == key)
        };
        self.keys(candidate, required).into_iter().find(|key| others.iter().all(|other| !declared(other, key)))
    }

    /// The ways to the members of an object and, one level down, of its members; fixed strings tell
    /// nothing.
    fn keys(&self, candidate: &Candidate, required: bool) -> Vec<Vec<String>> {
        let wanted =
            |field: &&crate::model::Field| (field.presence != Presence::Optional) == required && !field.is_constant();
        let mut keys = Vec::new();
        for field in candidate.shape.fields.iter().filter(wanted) {
            keys.push(vec![field.wire_name.clone()]);
        }
        for field in candidate.shape.fields.iter().filter(wanted) {
            for below in self.inner(&field.ty).iter().flat_map(|inner| inner.fields.iter().filter(wanted)) {
                keys.push(vec![field.wire_name.clone(), below.wire_name.clone()]);
            }
        }
        keys
    }
}
