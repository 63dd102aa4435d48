//! Finds where a string or a number ends, and checks that it is well formed.

/// Where the string that starts at `start` ends, if it is plain and ends soon.
#[inline(always)]
pub(crate) fn short(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    for _ in 0..4 {
        let Some((chunk, _)) = bytes.get(at..)?.split_first_chunk::<8>() else {
            // Near the end of the text.
            let end = at + bytes[at..].iter().position(|byte| special(*byte))?;
            return (bytes[end] == b'"').then_some(end + 1);
        };
        let flags = specials(u64::from_le_bytes(*chunk));
        if flags != 0 {
            // The lowest flag is exact: a borrow only reaches bytes above a special one.
            let end = at + flags.trailing_zeros() as usize / 8;
            return (bytes[end] == b'"').then_some(end + 1);
        }
        at += 8;
    }
    None
}

/// The length of the string token that `bytes` begins with, both quotes included, and whether
/// escapes are in it.
pub(crate) fn string(bytes: &[u8]) -> Result<(usize, bool), &'static str> {
    let mut at = 1;
    let mut escaped = false;
    loop {
        at = plain(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok((at + 1, escaped)),
            Some(b'\\') => {
                at += escape(&bytes[at..])?;
                escaped = true;
            }
            Some(_) => return Err("raw control character"),
            None => return Err("the text ends"),
        }
    }
}

/// Where, from `at` on, a quote, a backslash, a control character or the end comes.
#[inline]
fn plain(bytes: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some((chunk, _)) = bytes.get(at..).and_then(<[u8]>::split_first_chunk::<8>) {
        let flags = specials(u64::from_le_bytes(*chunk));
        if flags != 0 {
            // The lowest flag is exact: a borrow only reaches bytes above a special one.
            return at + flags.trailing_zeros() as usize / 8;
        }
        at += 8;
        // A string that has gone on so far is a long one.
        if at - start >= 64 {
            at = blocks(bytes, at);
        }
    }
    while bytes.get(at).is_some_and(|byte| !special(*byte)) {
        at += 1;
    }
    at
}

/// Passes over whole blocks without a special byte; the loop is one that compilers vectorise.
fn blocks(bytes: &[u8], mut at: usize) -> usize {
    while let Some((block, _)) = bytes[at..].split_first_chunk::<64>() {
        if block.iter().fold(false, |found, byte| found | special(*byte)) {
            break;
        }
        at += 64;
    }
    at
}

#[inline]
fn special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The high bit of each special byte in a little-endian word; perhaps of others above the lowest.
#[inline]
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let control = word.wrapping_sub(ONES * 0x20);
    let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (control | quote | backslash) & !word & HIGHS
}

/// The length of the escape that `bytes` begins with; a surrogate pair is one escape.
fn escape(bytes: &[u8]) -> Result<usize, &'static str> {
    match bytes.get(1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(2),
        Some(b'u') => match unit(&bytes[2..])? {
            0xD800..=0xDBFF => match bytes.get(6..8) {
                Some(b"\\u") if matches!(unit(&bytes[8..])?, 0xDC00..=0xDFFF) => Ok(12),
                _ => Err("unpaired surrogate"),
            },
            0xDC00..=0xDFFF => Err("unpaired surrogate"),
            _ => Ok(6),
        },
        _ => Err("unknown escape"),
    }
}

fn unit(bytes: &[u8]) -> Result<u32, &'static str> {
    let digits = bytes.get(..4).ok_or("the text ends")?;
    digits.iter().try_fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16).ok_or("malformed escape")?;
        Ok(unit << 4 | value)
    })
}

/// The length of the number that `bytes` begins with, by the grammar of RFC 8259, and whether it
/// could lie beyond the range of a double.
#[inline]
pub(crate) fn number(bytes: &[u8]) -> Option<(usize, bool)> {
    let digits = |from: usize| {
        let mut at = from;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let start = usize::from(bytes.first() == Some(&b'-'));
    let mut at = digits(start);
    if at == start || (bytes[start] == b'0' && at > start + 1) {
        return None;
    }
    if bytes.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return None;
        }
        at = end;
    }
    // Only an exponent or some three hundred digits lead out of the range.
    let mut far = at > 300;
    if let Some(b'e' | b'E') = bytes.get(at) {
        let from = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(from);
        if at == from {
            return None;
        }
        far = true;
    }
    Some((at, far))
}

/// The whole number that a number token stands for, if it stands for one: `12`, `12.0` and `1.2e1`
/// all do, with however many zeros.
pub(crate) fn integral(token: &str) -> Option<i128> {
    let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    let zeros = i64::try_from(digits.len() - significant.len()).ok()?;
    let shift = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(zeros)?;
    // More than forty digits are beyond any type of ours.
    let shift = usize::try_from(shift).ok().filter(|shift| *shift <= 40)?;
    format!("{sign}{significant}{}", "0".repeat(shift)).parse().ok()
}
