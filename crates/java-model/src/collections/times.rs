//! Dates, times and the like of `java.time`, as Java prints them; and those that were there before it, likewise.

use super::super::heap::Heap;
use super::look::{Look, Parts};

const SECONDS_A_DAY: i64 = 86_400;

/// What an object of `java.time.` prints; `None` if it is none of these, or not known as a whole.
pub(super) fn printed<H: Heap + ?Sized>(
    look: &Look<'_, H>,
    parts: &Parts,
    short: &str,
) -> Option<String> {
    let inner = |field: &str| {
        let object = parts.object(field)?;
        let class = look.class(object)?;
        printed(look, &look.parts(object), class.strip_prefix("java.time.")?)
    };
    Some(match short {
        "LocalDate" => date(parts.int("year")?, parts.int("month")?, parts.int("day")?),
        "LocalTime" => {
            let [hour, minute, second] = [
                parts.int("hour")?,
                parts.int("minute")?,
                parts.int("second")?,
            ];
            time(hour, minute, second, parts.int("nano")?)
        }
        "LocalDateTime" => format!("{}T{}", inner("date")?, inner("time")?),
        "OffsetTime" => format!("{}{}", inner("time")?, inner("offset")?),
        "OffsetDateTime" => format!("{}{}", inner("dateTime")?, inner("offset")?),
        "ZonedDateTime" => {
            let zone = match parts.get("zone")? == parts.get("offset")? {
                true => String::new(),
                false => format!("[{}]", inner("zone")?),
            };
            format!("{}{}{zone}", inner("dateTime")?, inner("offset")?)
        }
        "Instant" => instant(parts.int("seconds")?, parts.int("nanos")?),
        "Duration" => duration(parts.int("seconds")?, parts.int("nanos")?),
        "Period" => period(
            parts.int("years")?,
            parts.int("months")?,
            parts.int("days")?,
        ),
        "Year" => parts.int("year")?.to_string(),
        "YearMonth" => {
            let year = parts.int("year")?;
            format!("{}-{:02}", four_digits(year), parts.int("month")?)
        }
        "MonthDay" => format!("--{:02}-{:02}", parts.int("month")?, parts.int("day")?),
        "ZoneOffset" => offset(parts.int("totalSeconds")?),
        "ZoneRegion" => look.text(parts.object("id")?)?,
        _ => return None,
    })
}

/// `java.util.Date`: the moment, which is all that it holds, in UTC. Some of its setters put off computing that.
pub(super) fn date_printed<H: Heap + ?Sized>(look: &Look<'_, H>, parts: &Parts) -> Option<String> {
    let is_computed = match parts.get("cdate")?.object() {
        None => true,
        Some(calendar) => look.parts(calendar).int("normalized")? != 0,
    };
    parts.int("fastTime").filter(|_| is_computed).map(moment)
}

/// `java.util.Calendar`: the moment. After fields were set it is computed when somebody asks for it.
pub(super) fn calendar_printed(parts: &Parts) -> Option<String> {
    match parts.int("isTimeSet")? {
        0 => Some("not computed yet".to_owned()),
        _ => parts.int("time").map(moment),
    }
}

fn moment(milliseconds: i64) -> String {
    let (seconds, rest) = (milliseconds.div_euclid(1000), milliseconds.rem_euclid(1000));
    instant(seconds, rest * 1_000_000)
}

fn four_digits(year: i64) -> String {
    match year {
        -999..0 => format!("-{:04}", -year),
        _ => format!("{year:04}"),
    }
}

fn date(year: i64, month: i64, day: i64) -> String {
    let plus = if year > 9999 { "+" } else { "" };
    format!("{plus}{}-{month:02}-{day:02}", four_digits(year))
}

fn time(hour: i64, minute: i64, second: i64, nano: i64) -> String {
    match second > 0 || nano > 0 {
        true => format!("{hour:02}:{minute:02}:{second:02}{}", fraction(nano)),
        false => format!("{hour:02}:{minute:02}"),
    }
}

/// Three, six or nine digits.
fn fraction(nano: i64) -> String {
    match nano {
        0 => String::new(),
        nano if nano % 1_000_000 == 0 => format!(".{:03}", nano / 1_000_000),
        nano if nano % 1_000 == 0 => format!(".{:06}", nano / 1_000),
        nano => format!(".{nano:09}"),
    }
}

fn instant(seconds: i64, nanos: i64) -> String {
    let second = seconds.rem_euclid(SECONDS_A_DAY);
    let (year, month, day) = civil(seconds.div_euclid(SECONDS_A_DAY));
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let fraction = fraction(nanos);
    format!(
        "{}T{hour:02}:{minute:02}:{second:02}{fraction}Z",
        date(year, month, day)
    )
}

/// Year, month and day of a day that is counted from 1970 on: years are counted from March, so that the day that some
/// of them have more comes last.
fn civil(days: i64) -> (i64, i64, i64) {
    const ERA: i64 = 146_097;
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    (era * 400 + year + i64::from(month <= 2), month, day)
}

fn duration(seconds: i64, nanos: i64) -> String {
    if seconds == 0 && nanos == 0 {
        return "PT0S".to_owned();
    }
    let is_mixed = seconds < 0 && nanos > 0;
    let whole = seconds + i64::from(is_mixed);
    let (hours, minutes, rest) = (whole / 3600, whole % 3600 / 60, whole % 60);
    let mut text = "PT".to_owned();
    if hours != 0 {
        text += &format!("{hours}H");
    }
    if minutes != 0 {
        text += &format!("{minutes}M");
    }
    if rest == 0 && nanos == 0 {
        return text;
    }
    let sign = if is_mixed && rest == 0 { "-" } else { "" };
    text += &format!("{sign}{rest}");
    if nanos > 0 {
        let nanos = if seconds < 0 {
            1_000_000_000 - nanos
        } else {
            nanos
        };
        let digits = format!("{nanos:09}");
        text += &format!(".{}", digits.trim_end_matches('0'));
    }
    text + "S"
}

fn period(years: i64, months: i64, days: i64) -> String {
    let parts = [(years, 'Y'), (months, 'M'), (days, 'D')];
    let parts = parts.into_iter().filter(|(count, _)| *count != 0);
    let text: String = parts
        .map(|(count, unit)| format!("{count}{unit}"))
        .collect();
    match text.is_empty() {
        true => "P0D".to_owned(),
        false => format!("P{text}"),
    }
}

fn offset(seconds: i64) -> String {
    if seconds == 0 {
        return "Z".to_owned();
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let size = seconds.abs();
    let text = format!("{sign}{:02}:{:02}", size / 3600, size / 60 % 60);
    match size % 60 {
        0 => text,
        rest => format!("{text}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_written_as_java_does() {
        for (seconds, nanos, text) in [
            (0, 0, "PT0S"),
            (300, 0, "PT5M"),
            (-1, 0, "PT-1S"),
            (-1, 500_000_000, "PT-0.5S"),
            (3_661, 1, "PT1H1M1.000000001S"),
            (-3_700, 1_000, "PT-1H-1M-39.999999S"),
        ] {
            assert_eq!(duration(seconds, nanos), text);
        }
    }

    #[test]
    fn days_are_counted_from_1970() {
        for (days, date) in [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (19_782, (2024, 2, 29)),
            (-719_528, (0, 1, 1)),
            (-719_529, (-1, 12, 31)),
        ] {
            assert_eq!(civil(days), date);
        }
        assert_eq!(
            instant(1_709_121_600, 5_000_000),
            "2024-02-28T12:00:00.005Z"
        );
        assert_eq!(date(12_024, 2, 3), "+12024-02-03");
        assert_eq!(date(-5, 2, 3), "-0005-02-03");
    }
}
