//! Java's arithmetic where it is not Rust's: division, shifts, comparisons and conversions.

use std::cmp::Ordering;

/// `None`: the divisor is zero, the JVM throws.
#[inline]
pub(crate) fn idiv(a: i32, b: i32) -> Option<i32> {
    (b != 0).then(|| a.wrapping_div(b))
}

#[inline]
pub(crate) fn irem(a: i32, b: i32) -> Option<i32> {
    (b != 0).then(|| a.wrapping_rem(b))
}

#[inline]
pub(crate) fn ldiv(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| a.wrapping_div(b))
}

#[inline]
pub(crate) fn lrem(a: i64, b: i64) -> Option<i64> {
    (b != 0).then(|| a.wrapping_rem(b))
}

// The distance of a shift counts modulo the width, which is what `wrapping_shl` does.

#[inline]
pub(crate) fn ishl(a: i32, by: i32) -> i32 {
    a.wrapping_shl(by.cast_unsigned())
}

#[inline]
pub(crate) fn ishr(a: i32, by: i32) -> i32 {
    a.wrapping_shr(by.cast_unsigned())
}

#[inline]
pub(crate) fn iushr(a: i32, by: i32) -> i32 {
    a.cast_unsigned()
        .wrapping_shr(by.cast_unsigned())
        .cast_signed()
}

#[inline]
pub(crate) fn lshl(a: i64, by: i32) -> i64 {
    a.wrapping_shl(by.cast_unsigned())
}

#[inline]
pub(crate) fn lshr(a: i64, by: i32) -> i64 {
    a.wrapping_shr(by.cast_unsigned())
}

#[inline]
pub(crate) fn lushr(a: i64, by: i32) -> i64 {
    a.cast_unsigned()
        .wrapping_shr(by.cast_unsigned())
        .cast_signed()
}

/// `fcmpl`, `fcmpg`, `dcmpl`, `dcmpg` and `lcmp`; `unordered` is what a NaN gives.
#[inline]
pub(crate) fn compare<T: PartialOrd>(a: T, b: T, unordered: i32) -> i32 {
    match a.partial_cmp(&b) {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        None => unordered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_wraps_and_throws() {
        assert_eq!(idiv(i32::MIN, -1), Some(i32::MIN));
        assert_eq!(irem(i32::MIN, -1), Some(0));
        assert_eq!(idiv(-7, 2), Some(-3));
        assert_eq!(irem(-7, 2), Some(-1));
        assert_eq!((idiv(1, 0), irem(1, 0)), (None, None));
        assert_eq!(ldiv(i64::MIN, -1), Some(i64::MIN));
        assert_eq!(lrem(i64::MIN, -1), Some(0));
        assert_eq!((ldiv(1, 0), lrem(1, 0)), (None, None));
    }

    #[test]
    fn shifts_count_modulo_the_width() {
        assert_eq!(ishl(1, 33), 2);
        assert_eq!(ishl(1, -1), i32::MIN);
        assert_eq!(ishr(i32::MIN, 31), -1);
        assert_eq!(iushr(-1, 28), 15);
        assert_eq!(iushr(-1, 32), -1);
        assert_eq!(lshl(1, 65), 2);
        assert_eq!(lshr(i64::MIN, 63), -1);
        assert_eq!(lushr(-1, 60), 15);
    }

    #[test]
    fn nan_compares_as_told() {
        assert_eq!(compare(f32::NAN, 0.0, -1), -1);
        assert_eq!(compare(0.0, f64::NAN, 1), 1);
        assert_eq!(compare(-0.0, 0.0, 1), 0);
        assert_eq!(compare(2i64, 1, 0), 1);
    }

    #[test]
    fn conversions_are_rusts() {
        // Java's d2i, f2l and friends saturate and turn NaN into 0, as Rust's `as` does.
        assert_eq!("NaN".parse::<f64>().map(|nan| nan as i32), Ok(0));
        assert_eq!(1e20 as i32, i32::MAX);
        assert_eq!(-1e20f32 as i64, i64::MIN);
        assert_eq!(0x1_2345_6789i64 as i32, 0x2345_6789);
        assert_eq!(0xFFFF_FF80u32 as i8, -128);
    }

    #[test]
    fn remainders_of_floats_are_rusts() {
        // frem and drem have the sign of the dividend, as fmod and Rust's `%` have.
        assert_eq!(-5.5f64 % 2.0, -1.5);
        assert_eq!(5.5f32 % -2.0, 1.5);
        assert!((1.0f64 % 0.0).is_nan());
        assert_eq!(3.0f64 % f64::INFINITY, 3.0);
    }
}
