//! Numbers as the tables have them.

use std::time::Duration;

use super::Times;

pub(crate) fn rate(number: u64, time: Duration) -> String {
    format!("{:.1} M/s", number as f64 / 1e6 / time.as_secs_f64())
}

pub(crate) fn megabytes(bytes: u64) -> String {
    format!("{:.0} MB", bytes as f64 / 1e6)
}

pub(crate) fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

pub(crate) fn times(times: Times) -> String {
    format!(
        "{:.1} / {}",
        times.median.as_secs_f64() * 1000.0,
        milliseconds(times.worst)
    )
}
