//! How Java's internal names are shown to a person.

use crate::descriptor::{self, JavaType};

/// `a/b/Outer$Inner` as `a.b.Outer$Inner`, the form that patterns and options use.
#[must_use]
pub fn class(internal: &str) -> String {
    internal.replace('/', ".")
}

/// `a.b.C` as `a/b/C`.
#[must_use]
pub fn internal(class: &str) -> String {
    class.replace('.', "/")
}

/// `a/b/Outer$Inner` as `Outer.Inner`. The number of an anonymous class keeps its sign: `Main$1`.
#[must_use]
pub fn simple_class(internal: &str) -> String {
    nested(internal.rsplit(['/', '.']).next().unwrap_or(internal))
}

/// `a/b/Outer$Inner` as `Inner`.
#[must_use]
pub fn innermost(internal: &str) -> String {
    let class = simple_class(internal);
    let name = class.rsplit('.').next().unwrap_or(&class);
    name.to_owned()
}

/// `a.Outer$Inner` as `a.Outer.Inner`, as the source has it.
#[must_use]
pub fn nested(name: &str) -> String {
    if !name.contains('$') {
        return name.to_owned();
    }
    let mut shown = String::with_capacity(name.len());
    let mut rest = name.chars().peekable();
    while let Some(sign) = rest.next() {
        let after_name = shown.ends_with(|c: char| c.is_alphanumeric());
        let inner = sign == '$' && after_name && rest.peek().is_some_and(|c| c.is_alphabetic());
        shown.push(if inner { '.' } else { sign });
    }
    shown
}

/// A type as the source has it, its class without the package: `int[]`, `String`.
#[must_use]
pub fn java_type(found: JavaType<'_>) -> String {
    match found {
        JavaType::Boolean => "boolean".to_owned(),
        JavaType::Byte => "byte".to_owned(),
        JavaType::Char => "char".to_owned(),
        JavaType::Short => "short".to_owned(),
        JavaType::Int => "int".to_owned(),
        JavaType::Float => "float".to_owned(),
        JavaType::Long => "long".to_owned(),
        JavaType::Double => "double".to_owned(),
        JavaType::Void => "void".to_owned(),
        JavaType::Reference(text) => match text.strip_prefix('[') {
            Some(element) => match descriptor::parse_field(element) {
                Ok(element) => format!("{}[]", java_type(element)),
                Err(_) => text.to_owned(),
            },
            None => simple_class(found.class_name().unwrap_or(text)),
        },
    }
}

/// The package of an internal name, `a/b` for `a/b/C`; empty for the unnamed one.
#[must_use]
pub fn package(internal: &str) -> &str {
    internal.rsplit_once('/').map_or("", |(package, _)| package)
}

/// The method's name as a person would say it.
#[must_use]
pub fn method(internal_class: &str, name: &str) -> String {
    match name {
        "<init>" => format!("new {}", simple_class(internal_class)),
        "<clinit>" => format!("static initialiser of {}", simple_class(internal_class)),
        _ => match lambda_host(name) {
            Some("new") => "lambda in a constructor".to_owned(),
            Some("static") => "lambda in the static initialiser".to_owned(),
            Some(host) => format!("lambda in {host}"),
            None => name.to_owned(),
        },
    }
}

/// Class and method together: `MergeSort.merge`, `new Point`, `MergeSort: lambda in sort`.
#[must_use]
pub fn routine(internal_class: &str, name: &str) -> String {
    let class = simple_class(internal_class);
    let method = method(internal_class, name);
    if name.starts_with('<') {
        method
    } else if lambda_host(name).is_some() {
        format!("{class}: {method}")
    } else {
        format!("{class}.{method}")
    }
}

/// Whether a person who writes `wanted` can mean this method: its name alone, behind its class, behind as
/// much of what the class is in as they care to write (`Rate.with`, `Cart.Rate.with`, `shop.Cart$Rate.with`),
/// or as it is shown (`new Rate`).
#[must_use]
pub fn is_meant(internal_class: &str, name: &str, wanted: &str) -> bool {
    let binary = class(internal_class);
    let written = nested(&binary);
    if let Some(created) = wanted.strip_prefix("new ") {
        return name == "<init>" && (is_end_of(&written, created) || is_end_of(&binary, created));
    }
    is_end_of(&format!("{written}.{name}"), wanted)
        || is_end_of(&format!("{binary}.{name}"), wanted)
        || routine(internal_class, name) == wanted
}

/// Whether a name with dots ends with the whole names of another.
#[must_use]
pub fn is_end_of(name: &str, end: &str) -> bool {
    let rest = name.strip_suffix(end);
    !end.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The method that contains a lambda: `sort` for `lambda$sort$0`.
#[must_use]
pub fn lambda_host(name: &str) -> Option<&str> {
    let (host, number) = name.strip_prefix("lambda$")?.rsplit_once('$')?;
    number
        .bytes()
        .all(|digit| digit.is_ascii_digit())
        .then_some(host)
}

/// The class name of a lambda's object differs from run to run behind this mark.
#[must_use]
pub fn is_hidden_class(name: &str) -> bool {
    name.contains("$$Lambda")
}

/// The part of a class name that is the same in every run.
#[must_use]
pub fn stable_class(class: &str) -> &str {
    class.split_once("$$Lambda").map_or(class, |(host, _)| host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        assert_eq!(simple_class("a/b/Outer$Inner"), "Outer.Inner");
        assert_eq!(simple_class("Main$1"), "Main$1");
        assert_eq!(simple_class("a/$Proxy"), "$Proxy");
        assert_eq!(package("a/b/C"), "a/b");
        assert_eq!(package("C"), "");
    }

    #[test]
    fn types() {
        let shown = |text: &str| java_type(descriptor::parse_field(text).expect("a type"));
        assert_eq!(shown("[[I"), "int[][]");
        assert_eq!(shown("[Ljava/util/Map$Entry;"), "Map.Entry[]");
        assert_eq!(shown("Z"), "boolean");
    }

    #[test]
    fn routines() {
        let check = |name: &str, expected: &str| assert_eq!(routine("a/Sort", name), expected);
        check("merge", "Sort.merge");
        check("<init>", "new Sort");
        check("<clinit>", "static initialiser of Sort");
        check("lambda$run$12", "Sort: lambda in run");
        check("lambda$new$0", "Sort: lambda in a constructor");
        check("lambda$odd", "Sort.lambda$odd");
    }

    #[test]
    fn methods_are_meant_by_parts_of_their_names() {
        let check = |class: &str, name: &str, meant: &[&str], not_meant: &[&str]| {
            for wanted in meant {
                assert!(is_meant(class, name, wanted), "{wanted}");
            }
            for wanted in not_meant {
                assert!(!is_meant(class, name, wanted), "{wanted}");
            }
        };
        check(
            "a/shop/Cart$Rate",
            "with",
            &[
                "with",
                "Rate.with",
                "Cart.Rate.with",
                "Cart$Rate.with",
                "shop.Cart.Rate.with",
                "a.shop.Cart$Rate.with",
                "a.shop.Cart.Rate.with",
            ],
            &[
                "",
                "th",
                "ate.with",
                "Cart.with",
                ".with",
                "Rate",
                "b.Cart.Rate.with",
            ],
        );
        check(
            "a/shop/Cart$Rate",
            "<init>",
            &[
                "<init>",
                "Rate.<init>",
                "new Rate",
                "new Cart.Rate",
                "new a.shop.Cart$Rate",
            ],
            &["new", "new ", "new ate", "new Cart", "Rate"],
        );
        check(
            "Main$1",
            "run",
            &["run", "Main$1.run"],
            &["1.run", "Main.run", "new Main$1"],
        );
        check(
            "Sort",
            "lambda$run$12",
            &["Sort: lambda in run", "lambda$run$12", "Sort.lambda$run$12"],
            &["lambda in run", "run"],
        );
    }
}
