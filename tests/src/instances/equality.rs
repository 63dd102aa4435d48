//! Compares JSON values the way JSON means them: numbers by value, members in any order.

use serde_json::{Number, Value};

/// Tells whether two values are the same JSON.
///
/// `1` equals `1.0`. Integers are compared exactly over all of 64 bits, also against a float that
/// has no fraction; two floats are compared as floats.
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => same_number(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

/// The value of a number without a fraction, where it is within the range of any 64-bit integer.
pub(super) fn integral(number: &Number) -> Option<i128> {
    if let Some(signed) = number.as_i64() {
        return Some(signed.into());
    }
    if let Some(unsigned) = number.as_u64() {
        return Some(unsigned.into());
    }
    let float = number.as_f64()?;
    // 2^96 is far beyond both integer types, and every float below it converts exactly.
    (float.fract() == 0.0 && float.abs() < 2f64.powi(96)).then_some(float as i128)
}

fn same_number(a: &Number, b: &Number) -> bool {
    match (integral(a), integral(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a.as_f64() == b.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(equal(&json!(1), &json!(1.0)));
        assert!(equal(&json!(0), &json!(-0.0)));
        assert!(equal(&json!([{"a": 2.0}]), &json!([{"a": 2}])));
        assert!(equal(&json!(1e-7), &json!(0.0000001)));
        assert!(equal(&json!(1e300), &json!(1e300)));
        assert!(!equal(&json!(1), &json!(1.5)));
    }

    #[test]
    fn integers_keep_all_their_digits() {
        assert!(!equal(&json!(i64::MAX), &json!(i64::MAX - 1)));
        assert!(!equal(&json!(u64::MAX), &json!(u64::MAX - 1)));
        // The float is 2^63, one more than the integer.
        assert!(!equal(&json!(i64::MAX), &json!(9223372036854775807.0)));
    }

    #[test]
    fn kinds_and_members_matter() {
        assert!(!equal(&json!(null), &json!(false)));
        assert!(!equal(&json!("1"), &json!(1)));
        assert!(!equal(&json!({"a": 1}), &json!({"b": 1})));
        assert!(!equal(&json!({"a": 1}), &json!({"a": 1, "b": null})));
        assert!(!equal(&json!([1, 2]), &json!([2, 1])));
    }
}
