//! Methods of strings that need nothing but the text: they are computed, and nothing runs. Those that depend on where
//! the program ran, like `toUpperCase`, are none of them.

use trace_format::Value;

/// What a method is given.
pub(crate) enum Given {
    Text(String),
    /// An index or a character.
    Number(i32),
    Other,
}

/// What it gives back.
#[derive(Debug, PartialEq)]
pub(crate) enum Made {
    Text(String),
    Value(Value),
}

/// `None` if there is no such method here.
///
/// # Errors
/// What it would throw, as a sentence.
pub(crate) fn call(own: &str, name: &str, given: &[Given]) -> Option<Result<Made, String>> {
    let units: Vec<u16> = own.encode_utf16().collect();
    let truth = |holds| Made::Value(Value::Boolean(holds));
    Some(Ok(match (name, given) {
        ("length", []) => number(units.len()),
        ("isEmpty", []) => truth(own.is_empty()),
        ("hashCode", []) => {
            let hash = |hash: i32, unit: &u16| hash.wrapping_mul(31).wrapping_add(i32::from(*unit));
            Made::Value(Value::Int(units.iter().fold(0, hash)))
        }
        ("toString", []) => Made::Text(own.to_owned()),
        ("trim", []) => Made::Text(own.trim_matches(|sign| sign <= ' ').to_owned()),
        ("equals", [Given::Text(other)]) => truth(own == other),
        ("equals", [_]) => truth(false),
        ("contains", [Given::Text(other)]) => truth(own.contains(other)),
        ("startsWith", [Given::Text(other)]) => truth(own.starts_with(other)),
        ("endsWith", [Given::Text(other)]) => truth(own.ends_with(other)),
        ("compareTo", [Given::Text(other)]) => Made::Value(Value::Int(compared(&units, other))),
        ("indexOf" | "lastIndexOf", [sought]) => {
            let sought: Vec<u16> = match sought {
                Given::Text(text) => text.encode_utf16().collect(),
                Given::Number(unit) => vec![u16::try_from(*unit).ok()?],
                Given::Other => return None,
            };
            let last = units.len().checked_sub(sought.len());
            let mut places = last.map(|last| 0..=last).into_iter().flatten();
            let is_there = |place: &usize| units[*place..].starts_with(&sought);
            let found = match name {
                "indexOf" => places.find(is_there),
                _ => places.rfind(is_there),
            };
            found.map_or(Made::Value(Value::Int(-1)), number)
        }
        ("charAt", [Given::Number(index)]) => {
            let unit = usize::try_from(*index).ok().and_then(|at| units.get(at));
            match unit {
                Some(&unit) => Made::Value(Value::Char(unit)),
                None => return Some(Err(format!("the text has no character {index}"))),
            }
        }
        ("substring", [Given::Number(start)]) => return Some(part(&units, *start, None)),
        ("substring", [Given::Number(start), Given::Number(end)]) => {
            return Some(part(&units, *start, Some(*end)));
        }
        _ => return None,
    }))
}

fn number(count: usize) -> Made {
    Made::Value(Value::Int(i32::try_from(count).unwrap_or(i32::MAX)))
}

fn compared(units: &[u16], other: &str) -> i32 {
    let other: Vec<u16> = other.encode_utf16().collect();
    let mut pairs = units.iter().zip(&other);
    match pairs.find(|(one, other)| one != other) {
        Some((&one, &other)) => i32::from(one) - i32::from(other),
        None => {
            let length = |units: &[u16]| i32::try_from(units.len()).unwrap_or(i32::MAX);
            length(units).saturating_sub(length(&other))
        }
    }
}

fn part(units: &[u16], start: i32, end: Option<i32>) -> Result<Made, String> {
    let place = |index: i32| usize::try_from(index).ok();
    let end = match end {
        Some(end) => place(end),
        None => Some(units.len()),
    };
    let part = place(start)
        .zip(end)
        .and_then(|(start, end)| units.get(start..end));
    let part = part.ok_or("the text has no such part")?;
    let text = String::from_utf16(part).map_err(|_| "this part begins or ends inside a sign")?;
    Ok(Made::Text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(own: &str, name: &str, given: &[Given], expected: Made) {
        assert_eq!(call(own, name, given), Some(Ok(expected)), "{own}.{name}");
    }

    #[test]
    fn as_in_java() {
        let text = |text: &str| Given::Text(text.to_owned());
        let int = |number| Made::Value(Value::Int(number));
        let made = |text: &str| Made::Text(text.to_owned());
        check("banana", "indexOf", &[text("an")], int(1));
        check("banana", "lastIndexOf", &[text("an")], int(3));
        check("banana", "indexOf", &[Given::Number(110)], int(2));
        check("banana", "indexOf", &[text("")], int(0));
        check("banana", "lastIndexOf", &[text("")], int(6));
        check("no", "indexOf", &[text("longer")], int(-1));
        check("banana", "substring", &[Given::Number(2)], made("nana"));
        let both = [Given::Number(1), Given::Number(3)];
        check("banana", "substring", &both, made("an"));
        check("\t x \n", "trim", &[], made("x"));
        check("banana", "hashCode", &[], int(-1_396_355_227));
        check("ab", "compareTo", &[text("abc")], int(-1));
        check("b", "compareTo", &[text("a")], int(1));
        check("€𝄞", "length", &[], int(3));
        assert!(matches!(
            call("ab", "substring", &[Given::Number(3)]),
            Some(Err(_))
        ));
        assert!(matches!(
            call("ab", "charAt", &[Given::Number(-1)]),
            Some(Err(_))
        ));
        assert_eq!(call("ab", "toUpperCase", &[]), None);
    }
}
