//! Names the shapes that the schema leaves without a name.

use std::collections::BTreeMap;

use heck::ToUpperCamelCase;

use crate::decisions::Decisions;
use crate::error::Result;
use crate::model::{Definition, Inline, Revision, Shape, Type};

/// After this pass no type is inline. A shape is named after its owner and member; one that stands
/// under the same member of several owners is one type, named after the member alone; unions.toml
/// may give another name.
///
/// # Errors
/// None today.
pub(super) fn run(mut revision: Revision, decisions: &Decisions) -> Result<Revision> {
    // What is inside a shape that gets its name in one round gets its own in the next.
    loop {
        let found = find(&revision);
        if found.is_empty() {
            return Ok(revision);
        }
        let named = names(&revision, decisions, &found);
        for (place, name) in &named {
            let inline = &found[place];
            revision.definitions.entry(name.clone()).or_insert_with(|| Definition {
                ident: String::new(),
                pointer: inline.pointer.clone(),
                docs: String::new(),
                shape: inline.shape.clone(),
            });
        }
        for (owner, definition) in &mut revision.definitions {
            visit(owner, &mut definition.shape, &mut |place, ty| {
                if let Some(name) = named.get(&place) {
                    *ty = Type::Named(name.clone());
                }
            });
        }
    }
}

/// Where a shape stands: its owner, the member (or `*`), and which of several shapes there it is.
type Place = (String, String, usize);

/// Calls `on` with each outermost inline type of a shape.
fn visit(owner: &str, shape: &mut Shape, on: &mut dyn FnMut(Place, &mut Type)) {
    fn descend(owner: &str, member: &str, count: &mut usize, ty: &mut Type, on: &mut dyn FnMut(Place, &mut Type)) {
        match ty {
            Type::Inline(_) => {
                on((owner.to_owned(), member.to_owned(), *count), ty);
                *count += 1;
            }
            ty => ty.children_mut(&mut |child| descend(owner, member, count, child, on)),
        }
    }
    match shape {
        Shape::Struct(shape) => {
            for field in &mut shape.fields {
                descend(owner, &field.wire_name, &mut 0, &mut field.ty, on);
            }
            if let Some(rest) = &mut shape.rest {
                descend(owner, "*", &mut 0, rest, on);
            }
        }
        shape => {
            let mut count = 0;
            shape.types_mut(&mut |ty| descend(owner, "*", &mut count, ty, on));
        }
    }
}

fn find(revision: &Revision) -> BTreeMap<Place, Inline> {
    let mut found = BTreeMap::new();
    let mut definitions = revision.definitions.clone();
    for (owner, definition) in &mut definitions {
        visit(owner, &mut definition.shape, &mut |place, ty| {
            if let Type::Inline(inline) = ty {
                found.insert(place, (**inline).clone());
            }
        });
    }
    found
}

fn names(revision: &Revision, decisions: &Decisions, found: &BTreeMap<Place, Inline>) -> BTreeMap<Place, String> {
    // The owners of one shape under one member.
    let mut groups: Vec<(&Shape, Vec<&Place>)> = Vec::new();
    for (place, inline) in found {
        let given = given(decisions, place);
        let group = groups.iter_mut().find(|(shape, places)| {
            **shape == inline.shape
                && (places[0].1 == place.1 || given.is_some() && self::given(decisions, places[0]) == given)
        });
        match group {
            Some((_, places)) if place.1 != "*" => places.push(place),
            _ => groups.push((&inline.shape, vec![place])),
        }
    }
    let mut names: BTreeMap<Place, String> = BTreeMap::new();
    let mut taken: BTreeMap<String, Shape> =
        revision.definitions.iter().map(|(name, definition)| (name.clone(), definition.shape.clone())).collect();
    let idents: Vec<String> = taken.keys().map(|name| name.to_upper_camel_case()).collect();
    for (shape, places) in &groups {
        let (owner, member, at) = places[0];
        let rivals = groups.iter().filter(|(_, others)| others[0].1 == *member).count();
        let pascal = member.to_upper_camel_case();
        let mut name = match places.iter().find_map(|place| given(decisions, place)) {
            Some(name) => {
                for (owner, member, _) in places {
                    decisions.mark("unions.toml", format!("name {owner}.{member}"));
                }
                name.clone()
            }
            None if member == "*" => format!("{owner}Item"),
            None if places.len() > 1 && rivals == 1 && !pascal.is_empty() && !idents.contains(&pascal) => pascal,
            None => format!("{owner}{pascal}"),
        };
        if *at > 0 {
            name.push_str(&(at + 1).to_string());
        }
        // A name that is taken by the same shape is shared, by another one is numbered.
        let stem = name.clone();
        let mut number = 1;
        while taken.get(&name).is_some_and(|other| other != *shape) {
            number += 1;
            name = format!("{stem}{number}");
        }
        taken.insert(name.clone(), (*shape).clone());
        for place in places {
            names.insert((*place).clone(), name.clone());
        }
    }
    names
}

fn given<'d>(decisions: &'d Decisions, (owner, member, _): &Place) -> Option<&'d String> {
    decisions.unions.name.get(&format!("{owner}.{member}"))
}
