//! Figures of many conversations.

/// The mean; 0 of nothing.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The value that so many percent are not above: the median with 50.
pub(super) fn percentile(values: &[usize], percent: usize) -> usize {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let place = (sorted.len() * percent).div_ceil(100);
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        let values = [7, 1, 3, 5, 9, 2, 4, 6, 8, 10];
        assert_eq!(percentile(&values, 50), 5);
        assert_eq!(percentile(&values, 90), 9);
        assert_eq!(percentile(&values, 100), 10);
        assert_eq!(percentile(&[], 50), 0);
        assert_eq!(percentile(&[4], 10), 4);
    }

    #[test]
    fn the_mean_of_nothing_is_nothing() {
        assert!(mean(&[]).abs() < 1e-9);
        assert!((mean(&[1.0, 2.0]) - 1.5).abs() < 1e-9);
    }
}
