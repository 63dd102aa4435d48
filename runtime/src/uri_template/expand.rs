//! Fills the gaps of a template.

use super::parse::{Expression, Modifier, Operator, Part, Variable};
use super::text::{encode, prefix};
use super::{Value, Variables};

/// The URI; `None` if it becomes longer than the limit, which is found out before it is much longer.
pub(super) fn within(parts: &[Part], variables: &Variables, limit: usize) -> Option<String> {
    let mut uri = String::new();
    for part in parts {
        match part {
            Part::Literal(literal) => uri.push_str(&literal.text),
            Part::Expression(expression) => fill(expression, variables, limit, &mut uri)?,
        }
        if uri.len() > limit {
            return None;
        }
    }
    Some(uri)
}

fn fill(expression: &Expression, variables: &Variables, limit: usize, uri: &mut String) -> Option<()> {
    let operator = expression.operator;
    let mut before = operator.first;
    for variable in &expression.variables {
        let Some(value) = variables.get(&variable.name).filter(|value| has_expansion(value, variable.modifier)) else {
            continue;
        };
        uri.extend(before);
        before = Some(operator.separator);
        write(operator, variable, value, uri);
        if uri.len() > limit {
            return None;
        }
    }
    Some(())
}

fn has_expansion(value: &Value, modifier: Modifier) -> bool {
    let is_prefix = matches!(modifier, Modifier::Prefix(_));
    match value {
        Value::String(_) => true,
        Value::List(items) => !items.is_empty() && !is_prefix,
        Value::Map(pairs) => !pairs.is_empty() && !is_prefix,
    }
}

fn write(operator: &Operator, variable: &Variable, value: &Value, uri: &mut String) {
    let explode = variable.modifier == Modifier::Explode;
    let separator = if explode { operator.separator } else { ',' };
    if let Some(if_empty) = operator.named
        && !(explode && matches!(value, Value::Map(_)))
    {
        uri.push_str(&variable.name);
        let is_empty = match value {
            Value::String(string) => string.is_empty(),
            Value::List(items) => explode && items[0].is_empty(),
            Value::Map(_) => false,
        };
        uri.push_str(if is_empty { if_empty } else { "=" });
    }
    match value {
        Value::String(string) => {
            let string = match variable.modifier {
                Modifier::Prefix(count) => prefix(string, count, operator.reserved),
                Modifier::None | Modifier::Explode => string,
            };
            encode(string, operator.reserved, uri);
        }
        Value::List(items) => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    uri.push(separator);
                    if let Some(if_empty) = operator.named.filter(|_| explode) {
                        uri.push_str(&variable.name);
                        uri.push_str(if item.is_empty() { if_empty } else { "=" });
                    }
                }
                encode(item, operator.reserved, uri);
            }
        }
        Value::Map(pairs) => {
            for (at, (name, value)) in pairs.iter().enumerate() {
                if at > 0 {
                    uri.push(separator);
                }
                encode(name, operator.reserved, uri);
                match operator.named {
                    _ if !explode => uri.push(','),
                    Some(if_empty) if value.is_empty() => uri.push_str(if_empty),
                    _ => uri.push('='),
                }
                encode(value, operator.reserved, uri);
            }
        }
    }
}
