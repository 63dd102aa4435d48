//! The parts of a template, as its text has them.

use std::collections::BTreeMap;

use super::TemplateError;
use super::text::{self, Token};

/// What stands in a template between two braces of either kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What every URI has at this place.
    Literal(Literal),
    /// What depends on variables.
    Expression(Expression),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Literal {
    /// As it is in a URI.
    pub(super) text: String,
    /// The same, to compare with one.
    pub(super) tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expression {
    pub(super) operator: &'static Operator,
    /// At least one.
    pub(super) variables: Vec<Variable>,
    /// Which of the variables have this name.
    pub(super) names: BTreeMap<Vec<Token>, Vec<usize>>,
}

/// What the character after the brace says, as in appendix A of the RFC.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Operator {
    /// What the expansion begins with, unless nothing has a value.
    pub(super) first: Option<char>,
    /// What is between two values.
    pub(super) separator: char,
    /// What is between a name and no characters, if names are written.
    pub(super) named: Option<&'static str>,
    /// Whether reserved characters stay what they are.
    pub(super) reserved: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) modifier: Modifier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    None,
    /// `*`: each item for itself.
    Explode,
    /// `:3`: the first characters only.
    Prefix(usize),
}

const SIMPLE: Operator = Operator { first: None, separator: ',', named: None, reserved: false };

const OPERATORS: &[(char, Operator)] = &[
    ('+', Operator { first: None, separator: ',', named: None, reserved: true }),
    ('#', Operator { first: Some('#'), separator: ',', named: None, reserved: true }),
    ('.', Operator { first: Some('.'), separator: '.', named: None, reserved: false }),
    ('/', Operator { first: Some('/'), separator: '/', named: None, reserved: false }),
    (';', Operator { first: Some(';'), separator: ';', named: Some(""), reserved: false }),
    ('?', Operator { first: Some('?'), separator: '&', named: Some("="), reserved: false }),
    ('&', Operator { first: Some('&'), separator: '&', named: Some("="), reserved: false }),
];

/// The parts of a template.
pub(super) fn parts(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(inside) = rest.strip_prefix('{') {
            let length = inside.find('}').ok_or(TemplateError { at, what: "the brace is never closed" })?;
            parts.push(Part::Expression(expression(&inside[..length], at + 1)?));
            at += length + 2;
        } else {
            let length = rest.find('{').unwrap_or(rest.len());
            parts.push(Part::Literal(literal(&rest[..length], at)?));
            at += length;
        }
    }
    Ok(parts)
}

fn literal(written: &str, start: usize) -> Result<Literal, TemplateError> {
    for (at, char) in written.char_indices() {
        let what = match char {
            '}' => "a brace is closed that was never opened; as a character it is %7D",
            '%' if text::triplet(&written[at..]).is_none() => "a percent sign without two digits; it is %25",
            ' ' | '"' | '<' | '>' | '\\' | '^' | '`' | '|' => "a character that no URI has; encode it",
            _ if char.is_control() => "a control character, which no URI has; encode it",
            _ => continue,
        };
        return Err(TemplateError { at: start + at, what });
    }
    let tokens = text::tokens(written)
        .ok_or(TemplateError { at: start, what: "the percent encodings up to the next brace aren't UTF-8" })?;
    let mut text = String::new();
    text::encode(written, true, &mut text);
    Ok(Literal { text, tokens })
}

fn expression(inside: &str, mut at: usize) -> Result<Expression, TemplateError> {
    if inside.starts_with(['=', ',', '!', '@', '|']) {
        return Err(TemplateError { at, what: "an operator that RFC 6570 keeps for later" });
    }
    let known = OPERATORS.iter().find(|(char, _)| inside.starts_with(*char));
    let (operator, specs) = match known {
        Some((_, operator)) => (operator, &inside[1..]),
        None => (&SIMPLE, inside),
    };
    at += inside.len() - specs.len();
    let mut variables = Vec::new();
    let mut names: BTreeMap<Vec<Token>, Vec<usize>> = BTreeMap::new();
    for spec in specs.split(',') {
        let (variable, name) = variable(spec, at)?;
        names.entry(name).or_default().push(variables.len());
        variables.push(variable);
        at += spec.len() + 1;
    }
    Ok(Expression { operator, variables, names })
}

/// A variable, and its name as it is found in a URI.
fn variable(spec: &str, at: usize) -> Result<(Variable, Vec<Token>), TemplateError> {
    let (name, modifier) = if let Some(name) = spec.strip_suffix('*') {
        (name, Modifier::Explode)
    } else if let Some((name, count)) = spec.split_once(':') {
        let digits = (1..=4).contains(&count.len()) && count.bytes().all(|byte| byte.is_ascii_digit());
        let count = count.parse().ok().filter(|_| digits && !count.starts_with('0'));
        let what = "a prefix has from 1 to 9999 characters, and nothing after the number";
        (name, Modifier::Prefix(count.ok_or(TemplateError { at: at + name.len() + 1, what })?))
    } else {
        (spec, Modifier::None)
    };
    let mut after_dot = true;
    for (offset, char) in name.char_indices() {
        let fits = match char {
            '.' => !after_dot && offset + 1 < name.len(),
            '%' => text::triplet(&name[offset..]).is_some(),
            _ => char.is_ascii_alphanumeric() || char == '_',
        };
        if !fits {
            let what = "a name has letters, digits, underscores, percent encodings, and single dots between them";
            return Err(TemplateError { at: at + offset, what });
        }
        after_dot = char == '.';
    }
    if name.is_empty() {
        return Err(TemplateError { at, what: "a variable has no name" });
    }
    let tokens =
        text::tokens(name).ok_or(TemplateError { at, what: "the percent encodings of the name aren't UTF-8" })?;
    Ok((Variable { name: name.to_owned(), modifier }, tokens))
}
