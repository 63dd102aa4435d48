//! Finds which piece of a URI belongs to which part of a template.
//!
//! From left to right it notes, for every part, at which positions the part may end if all parts up to it
//! fit; then it goes back from the end of the URI, and takes as much as there may be for every expression.
//! Nothing is tried twice, so there is nothing that could explode.

use super::parse::{Expression, Literal, Modifier, Part};
use super::text::Token;

/// How many parts are remembered at a time. The positions of the others are found again from the first of
/// every block, so that a long template for a long URI takes some memory and not all of it.
const BLOCK: usize = 32;

/// A piece of the URI for each part; `None` if it can't be cut into pieces that fit.
pub(super) fn pieces<'u>(parts: &[Part], uri: &'u [Token]) -> Option<Vec<&'u [Token]>> {
    let blocks: Vec<&[Part]> = parts.chunks(BLOCK).collect();
    let mut starts = vec![Positions::just(0)];
    for block in blocks.iter().take(blocks.len().saturating_sub(1)) {
        let start = starts.last()?.clone();
        starts.push(block.iter().try_fold(start, |before, part| ends(part, &before, uri))?);
    }
    let mut pieces = Vec::with_capacity(parts.len());
    let mut end = uri.len();
    for (block, start) in blocks.iter().zip(starts).rev() {
        let mut positions = vec![start];
        for part in *block {
            positions.push(ends(part, positions.last()?, uri)?);
        }
        if !positions.pop()?.contains(end) {
            return None;
        }
        for (part, before) in block.iter().zip(&positions).rev() {
            let start = match part {
                Part::Literal(literal) => end - literal.tokens.len(),
                Part::Expression(expression) => longest(expression, before, end, uri),
            };
            pieces.push(&uri[start..end]);
            end = start;
        }
    }
    pieces.reverse();
    (end == 0).then_some(pieces)
}

/// Where a part may end that begins at one of these positions.
fn ends(part: &Part, before: &Positions, uri: &[Token]) -> Option<Positions> {
    match part {
        Part::Literal(literal) => ends_of_literal(literal, before, uri),
        Part::Expression(expression) => ends_of_expression(expression, before, uri),
    }
}

/// Looks for a literal as Knuth, Morris and Pratt do, for it may hold repetitions.
fn ends_of_literal(literal: &Literal, before: &Positions, uri: &[Token]) -> Option<Positions> {
    let wanted = &literal.tokens;
    // How much of the literal is still found when the token after so many of them differs.
    let mut shorter = vec![0; wanted.len()];
    let mut length = 0;
    for at in 1..wanted.len() {
        while length > 0 && wanted[at] != wanted[length] {
            length = shorter[length - 1];
        }
        length += usize::from(wanted[at] == wanted[length]);
        shorter[at] = length;
    }
    let mut after: Option<Positions> = None;
    let mut length = 0;
    for (at, token) in uri.iter().enumerate().take(before.last + wanted.len()).skip(before.first) {
        while length > 0 && (length == wanted.len() || *token != wanted[length]) {
            length = shorter[length - 1];
        }
        length += usize::from(*token == wanted[length]);
        let end = at + 1;
        if length == wanted.len() && before.contains(end - length) {
            after.get_or_insert_with(|| Positions::just(end)).insert(end);
        }
    }
    after
}

/// An expression may end wherever it may be empty, or goes on from where it began last: what began earlier
/// allows no more. Only within a name it may not end.
fn ends_of_expression(expression: &Expression, before: &Positions, uri: &[Token]) -> Option<Positions> {
    let limit = Limit::of(expression);
    let mut after = Positions::just(before.first);
    let mut spent = None;
    let mut name_end = 0;
    for at in before.first..=uri.len() {
        let may_begin = before.contains(at);
        if may_begin || spent.is_some() && at >= name_end {
            after.insert(at);
        }
        let Some(token) = uri.get(at) else { break };
        let is_separator = token.is(expression.operator.separator);
        let old = spent.filter(|_| goes_on(expression, at, uri));
        spent = if may_begin && begins(expression, at, uri) { Some(0) } else { old };
        if spent.is_some() && (old.is_none() || is_separator) {
            name_end = at + 1 + name_length(expression, &uri[at + 1..]).unwrap_or(0);
        }
        spent = spent.map(|spent| spent + limit.price(*token)).filter(|spent| *spent <= limit.most());
        if spent.is_none() && at >= before.last {
            break;
        }
    }
    Some(after)
}

/// Where an expression begins that ends here, if it is to be as long as possible.
fn longest(expression: &Expression, before: &Positions, end: usize, uri: &[Token]) -> usize {
    let limit = Limit::of(expression);
    let mut start = end;
    let mut spent = 0;
    for at in (before.first..end).rev() {
        spent += limit.price(uri[at]);
        if spent > limit.most() {
            break;
        }
        if before.contains(at) && begins(expression, at, uri) {
            start = at;
        }
        if !goes_on(expression, at, uri) {
            break;
        }
    }
    start
}

/// Whether an expression may begin with this token.
fn begins(expression: &Expression, at: usize, uri: &[Token]) -> bool {
    match expression.operator.first {
        None => goes_on(expression, at, uri),
        Some(first) => {
            uri[at].is(first)
                && (expression.operator.named.is_none() || name_length(expression, &uri[at + 1..]).is_some())
        }
    }
}

/// Whether this token may be in an expression that has begun before it.
fn goes_on(expression: &Expression, at: usize, uri: &[Token]) -> bool {
    let operator = expression.operator;
    let token = uri[at];
    if token.encoded || operator.reserved {
        return true;
    }
    if operator.named.is_some() && token.char == operator.separator {
        return name_length(expression, &uri[at + 1..]).is_some();
    }
    match token.char {
        '#' => false,
        '/' if operator.separator == '/' => expression.variables.len() > 1 || spreads(expression),
        '/' | '?' => operator.separator == '&',
        _ => true,
    }
}

/// How long the name is that a text begins with, with the `=` after it, if names are written and one of the
/// variables has it. One that is spread out may be a map, and has all names. A name in a query doesn't end at
/// just any reserved character: that of `?a/b=1` isn't `a`.
fn name_length(expression: &Expression, rest: &[Token]) -> Option<usize> {
    expression.operator.named?;
    let length = rest.iter().position(|token| !token.is_plain()).unwrap_or(rest.len());
    let next = rest.get(length).map(|token| token.char);
    let ends = expression.operator.separator != '&' || matches!(next, None | Some('=' | '&' | '#'));
    let is_known = ends && (spreads(expression) || expression.names.contains_key(&rest[..length]));
    is_known.then_some(length + usize::from(next == Some('=')))
}

fn spreads(expression: &Expression) -> bool {
    expression.variables.iter().any(|variable| variable.modifier == Modifier::Explode)
}

/// How long an expression may become.
enum Limit {
    None,
    /// So many tokens.
    Tokens(usize),
    /// So many slashes: each variable has one.
    Slashes(usize),
}

impl Limit {
    fn of(expression: &Expression) -> Self {
        let operator = expression.operator;
        match expression.variables.as_slice() {
            [only] => match only.modifier {
                Modifier::Prefix(count) if operator.named.is_none() => {
                    Self::Tokens(count + usize::from(operator.first.is_some()))
                }
                _ => Self::None,
            },
            several if operator.separator == '/' && !spreads(expression) => Self::Slashes(several.len()),
            _ => Self::None,
        }
    }

    fn price(&self, token: Token) -> usize {
        match self {
            Self::None => 0,
            Self::Tokens(_) => 1,
            Self::Slashes(_) => usize::from(token.is('/')),
        }
    }

    fn most(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Tokens(most) | Self::Slashes(most) => *most,
        }
    }
}

/// Positions in a URI; at least one.
#[derive(Clone)]
struct Positions {
    first: usize,
    last: usize,
    /// A bit for each position from the first one.
    bits: Vec<u64>,
}

impl Positions {
    fn just(at: usize) -> Self {
        Self { first: at, last: at, bits: vec![1] }
    }

    /// Puts in a position that isn't before the last one.
    fn insert(&mut self, at: usize) {
        let bit = at - self.first;
        if self.bits.len() <= bit / 64 {
            self.bits.resize(bit / 64 + 1, 0);
        }
        self.bits[bit / 64] |= 1 << (bit % 64);
        self.last = at;
    }

    fn contains(&self, at: usize) -> bool {
        let Some(bit) = at.checked_sub(self.first) else { return false };
        self.bits.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }
}
