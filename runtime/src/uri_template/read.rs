//! Reads the values of an expression from its piece of a URI.

use std::ops::Range;

use super::parse::{Expression, Modifier, Part, Variable};
use super::text::{Token, decoded};
use super::{Value, Variables};

/// A value, or none, for each variable of an expression; `None` if the piece isn't one of its expansions.
pub(super) fn values(expression: &Expression, piece: &[Token]) -> Option<Vec<Option<Value>>> {
    let Some((_, rest)) = piece.split_first() else {
        return Some(vec![None; expression.variables.len()]);
    };
    let text = if expression.operator.first.is_some() { rest } else { piece };
    if expression.operator.named.is_some() { by_name(expression, text) } else { by_place(expression, text) }
}

/// One value for each variable, if the values of all occurrences are put together. One that is spread out
/// says most, a prefix least.
pub(super) fn merged(parts: &[Part], found: &[Option<Value>]) -> Variables {
    let variables = parts.iter().filter_map(|part| match part {
        Part::Literal(_) => None,
        Part::Expression(expression) => Some(&expression.variables),
    });
    let mut by_weight: Vec<(usize, &Variable, &Value)> = variables
        .flatten()
        .zip(found)
        .filter_map(|(variable, value)| {
            let weight = match variable.modifier {
                Modifier::Prefix(count) => count,
                Modifier::None => usize::MAX - 1,
                Modifier::Explode => usize::MAX,
            };
            Some((weight, variable, value.as_ref()?))
        })
        .collect();
    by_weight.sort_by_key(|(weight, ..)| *weight);
    by_weight.into_iter().map(|(_, variable, value)| (variable.name.clone(), value.clone())).collect()
}

/// The values stand in the order of the variables. If there are more of them, the first variable that is
/// spread out has the rest, or else the last one.
fn by_place(expression: &Expression, text: &[Token]) -> Option<Vec<Option<Value>>> {
    let variables = &expression.variables;
    let ranges = split(text, expression.operator.separator);
    let more = ranges.len().saturating_sub(variables.len());
    let greedy = variables.iter().position(|variable| variable.modifier == Modifier::Explode);
    let greedy = greedy.unwrap_or(variables.len() - 1);
    let mut ranges = ranges.into_iter();
    let mut values = Vec::with_capacity(variables.len());
    for (at, variable) in variables.iter().enumerate() {
        let Some(first) = ranges.next() else {
            values.push(None);
            continue;
        };
        let mut own = vec![first];
        if at == greedy {
            own.extend(ranges.by_ref().take(more));
        }
        values.push(Some(if variable.modifier == Modifier::Explode {
            spread(expression, own.into_iter().map(|range| &text[range]).collect())
        } else {
            let range = own[0].start..own[own.len() - 1].end;
            single(expression, variable, &text[range])?
        }));
    }
    Some(values)
}

/// The values stand in any order, each with its name.
fn by_name(expression: &Expression, text: &[Token]) -> Option<Vec<Option<Value>>> {
    let variables = &expression.variables;
    let spread_out = |at: &usize| variables[*at].modifier == Modifier::Explode;
    let first_spread = (0..variables.len()).find(spread_out);
    let mut values = vec![None; variables.len()];
    let mut pairs: Vec<Vec<Pair<'_>>> = vec![Vec::new(); variables.len()];
    for range in split(text, expression.operator.separator) {
        let (name, value) = name_and_value(&text[range]);
        let own = expression.names.get(name);
        let place = match own {
            Some(places) => places.iter().copied().find(|at| values[*at].is_none()),
            None => first_spread,
        };
        let at = place?;
        if spread_out(&at) {
            pairs[at].push(Pair { name, value, is_own: own.is_some() });
        } else {
            values[at] = Some(single(expression, &variables[at], value)?);
        }
    }
    for (value, pairs) in values.iter_mut().zip(pairs).filter(|(_, pairs)| !pairs.is_empty()) {
        *value = Some(if pairs.iter().all(|pair| pair.is_own) {
            Value::List(pairs.iter().map(|pair| decoded(pair.value, false)).collect())
        } else {
            Value::Map(pairs.iter().map(|pair| (decoded(pair.name, false), decoded(pair.value, false))).collect())
        });
    }
    Some(values)
}

/// What a variable that is spread out has, and whether it has it under the name of the variable.
#[derive(Clone)]
struct Pair<'u> {
    name: &'u [Token],
    value: &'u [Token],
    is_own: bool,
}

/// The value of a variable that isn't spread out. Commas that mean it make a list, unless they may be part
/// of a string.
fn single(expression: &Expression, variable: &Variable, text: &[Token]) -> Option<Value> {
    let reserved = expression.operator.reserved;
    if let Modifier::Prefix(count) = variable.modifier
        && text.len() > count
    {
        return None;
    }
    let is_list = !reserved && text.iter().any(|token| token.is(','));
    Some(match variable.modifier {
        Modifier::Prefix(_) if is_list => return None,
        _ if is_list => {
            Value::List(split(text, ',').into_iter().map(|range| decoded(&text[range], reserved)).collect())
        }
        _ => Value::String(decoded(text, reserved)),
    })
}

/// The value of a variable that is spread out, and stands there without its name: a map, if all of its items
/// have names.
fn spread(expression: &Expression, items: Vec<&[Token]>) -> Value {
    let text = |text| decoded(text, expression.operator.reserved);
    if items.iter().all(|item| item.iter().any(|token| token.is('='))) {
        let pairs = items.into_iter().map(name_and_value);
        Value::Map(pairs.map(|(name, value)| (text(name), text(value))).collect())
    } else {
        Value::List(items.into_iter().map(text).collect())
    }
}

fn name_and_value(text: &[Token]) -> (&[Token], &[Token]) {
    match text.iter().position(|token| token.is('=')) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &[]),
    }
}

/// The ranges between the separators.
fn split(text: &[Token], separator: char) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    for (at, token) in text.iter().enumerate() {
        if token.is(separator) {
            ranges.push(start..at);
            start = at + 1;
        }
    }
    ranges.push(start..text.len());
    ranges
}
