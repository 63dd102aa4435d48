//! Finds where a string or a number ends, and checks that it is well formed.

/// The length of the string token that `bytes` begins with, both quotes included, and whether
/// escapes are in it.
pub(crate) fn string(bytes: &[u8]) -> Result<(usize, bool), &'static str> {
    let mut at = 1;
    let mut escaped = false;
    loop {
        at += plain(&bytes[at.min(bytes.len())..]);
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

/// How many bytes go by before a quote, a backslash, a control character or the end.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = ONES << 7;
    let mut at = 0;
    loop {
        while let Some((chunk, _)) = bytes[at..].split_first_chunk::<8>() {
            let word = u64::from_ne_bytes(*chunk);
            let control = word.wrapping_sub(ONES * 0x20);
            let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
            let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
            // A borrow can flag a byte too many, never one too few; what follows is exact.
            if (control | quote | backslash) & !word & HIGHS != 0 {
                break;
            }
            at += 8;
        }
        let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
        match bytes[at..].iter().take(8).position(special) {
            Some(step) => return at + step,
            None if bytes.len() - at <= 8 => return bytes.len(),
            None => at += 8,
        }
    }
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

/// The length of the number that `bytes` begins with, by the grammar of RFC 8259.
pub(crate) fn number(bytes: &[u8]) -> Option<usize> {
    let digits = |at: usize| bytes[at.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    at += match digits(at) {
        0 => return None,
        1 => 1,
        _ if bytes[at] == b'0' => return None,
        several => several,
    };
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at + 1 + sign);
        if exponent == 0 {
            return None;
        }
        at += 1 + sign + exponent;
    }
    Some(at)
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
