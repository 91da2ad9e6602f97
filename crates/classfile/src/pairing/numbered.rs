//! Things that a compiler numbered, and how those of two versions are brought together.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::{ClassFile, Method};

use super::fresh;

/// A class or a method whose name is a number and what stands around it.
pub(super) struct Numbered {
    pub(super) name: String,
    /// The same for things that are the same.
    pub(super) label: u64,
    /// What is left of it when its code changes: what it extends, what it is given.
    pub(super) kind: String,
}

/// `a/Cart$#` for `a/Cart$12`, `a/Cart$#$Line` for `a/Cart$1$Line`; `None` if every part of the name is a name.
pub(super) fn class_stem(name: &str) -> Option<String> {
    let mut parts = name.split('$');
    let mut stem = parts.next()?.to_owned();
    let mut is_numbered = false;
    for part in parts {
        let rest = part.trim_start_matches(|sign: char| sign.is_ascii_digit());
        stem.push('$');
        if rest.len() < part.len() {
            is_numbered = true;
            stem.push('#');
        }
        stem.push_str(rest);
    }
    is_numbered.then_some(stem)
}

/// What a class is besides its code: what it extends and implements, and in which method it stands.
pub(super) fn kind_of_class(class: &ClassFile) -> String {
    let named = |index: &u16| class.constants.class_name(*index).unwrap_or_default();
    let mut kind = class.super_name().unwrap_or_default().into_owned();
    for interface in &class.interfaces {
        kind.push(' ');
        kind.push_str(&named(interface));
    }
    kind
}

/// Whether a compiler numbered it: `lambda$total$3`, `access$146`.
pub(super) fn is_numbered_method(method: &Method, name: &str) -> bool {
    let is_made = name.starts_with("lambda$") || name.starts_with("access$");
    is_made && method.access.is_synthetic() && name.ends_with(|sign: char| sign.is_ascii_digit())
}

/// `lambda$total$#` for `lambda$total$3`.
pub(super) fn method_stem(name: &str) -> String {
    number(name).0
}

/// A name with `#` in the place of its last number, and that number.
pub(super) fn number(name: &str) -> (String, u64) {
    let Some(end) = name.rfind(|sign: char| sign.is_ascii_digit()) else {
        return (format!("{name}$#"), 0);
    };
    let start = name[..end]
        .rfind(|sign: char| !sign.is_ascii_digit())
        .map_or(0, |at| at + 1);
    let stem = format!("{}#{}", &name[..start], &name[end + 1..]);
    (stem, name[start..=end].parse().unwrap_or(0))
}

/// Brings things together that are the same, then those of the same kind that stand between the same ones, then those
/// of the same kind in their order; tells our name for each of theirs. What is left gets a name of its own if its name
/// is one of ours.
pub(super) fn pair(
    mut mine: Vec<Numbered>,
    mut others: Vec<Numbered>,
    taken: &mut HashSet<String>,
    mut tell: impl FnMut(&str, &str),
) {
    mine.sort_by_key(|one| number(&one.name).1);
    others.sort_by_key(|one| number(&one.name).1);
    let our_names: HashSet<String> = mine.iter().map(|one| one.name.clone()).collect();
    let by_label = |one: &Numbered| one.label.to_string();
    let by_kind = |one: &Numbered| one.kind.clone();
    let order = |all: &[Numbered]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let orders = (order(&mine), order(&others));
    let (mine, others) = pair_by(mine, others, &by_label, &mut tell);
    let (mine, others) = (placed(&orders.0, mine), placed(&orders.1, others));
    let (mine, others) = pair_by_place(mine, others, &mut tell);
    let (_, others) = pair_by(mine, others, &by_kind, &mut tell);
    for other in others {
        if our_names.contains(&other.name) {
            tell(&other.name, &fresh(&other.name, taken));
        }
    }
}

/// What was not brought together, each with how many of those that were stand before it.
fn placed(order: &[String], left: Vec<Numbered>) -> Vec<(Numbered, usize)> {
    let is_left: HashSet<String> = left.iter().map(|one| one.name.clone()).collect();
    let place = |one: Numbered| {
        let before = order.iter().take_while(|name| **name != one.name);
        let place = before.filter(|name| !is_left.contains(*name)).count();
        (one, place)
    };
    left.into_iter().map(place).collect()
}

/// Brings together what is of the same kind and stands at the same place.
fn pair_by_place(
    mine: Vec<(Numbered, usize)>,
    others: Vec<(Numbered, usize)>,
    tell: &mut impl FnMut(&str, &str),
) -> (Vec<Numbered>, Vec<Numbered>) {
    let mut left_mine: Vec<(Numbered, usize)> = mine;
    let mut left = Vec::new();
    for (other, place) in others {
        let same = left_mine
            .iter()
            .position(|(one, at)| *at == place && one.kind == other.kind);
        match same {
            Some(at) => tell(&other.name, &left_mine.remove(at).0.name),
            None => left.push(other),
        }
    }
    (left_mine.into_iter().map(|one| one.0).collect(), left)
}

/// Brings together what has the same key, in order. Gives back what is left of both.
fn pair_by(
    mine: Vec<Numbered>,
    others: Vec<Numbered>,
    key: &dyn Fn(&Numbered) -> String,
    tell: &mut impl FnMut(&str, &str),
) -> (Vec<Numbered>, Vec<Numbered>) {
    let mut free: HashMap<String, VecDeque<Numbered>> = HashMap::new();
    for one in mine {
        free.entry(key(&one)).or_default().push_back(one);
    }
    let mut left = Vec::new();
    for other in others {
        match free.get_mut(&key(&other)).and_then(VecDeque::pop_front) {
            Some(one) => tell(&other.name, &one.name),
            None => left.push(other),
        }
    }
    let mut rest: Vec<Numbered> = free.into_values().flatten().collect();
    rest.sort_by_key(|one| number(&one.name).1);
    (rest, left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_found() {
        assert_eq!(class_stem("a/Cart$12").as_deref(), Some("a/Cart$#"));
        assert_eq!(class_stem("a/Cart$1Line").as_deref(), Some("a/Cart$#Line"));
        assert_eq!(
            class_stem("a/Cart$1$Line").as_deref(),
            Some("a/Cart$#$Line")
        );
        assert_eq!(class_stem("a/Cart$Line2"), None);
        assert_eq!(number("lambda$total$13"), ("lambda$total$#".to_owned(), 13));
        assert_eq!(number("a/Cart$1Line"), ("a/Cart$#Line".to_owned(), 1));
    }

    fn thing(name: &str, label: u64) -> Numbered {
        Numbered {
            name: name.to_owned(),
            label,
            kind: "()V".to_owned(),
        }
    }

    #[test]
    fn the_same_comes_together_first_and_then_what_is_left_in_order() {
        let mine = vec![thing("f$0", 1), thing("f$1", 2), thing("f$2", 3)];
        let others = vec![
            thing("f$0", 9),
            thing("f$1", 1),
            thing("f$2", 3),
            thing("f$3", 8),
        ];
        let mut told = Vec::new();
        pair(mine, others, &mut HashSet::new(), |old, new| {
            told.push((old.to_owned(), new.to_owned()));
        });
        let expected = [("f$1", "f$0"), ("f$2", "f$2"), ("f$0", "f$1")];
        let expected = expected.map(|(old, new)| (old.to_owned(), new.to_owned()));
        assert_eq!(told, expected, "f$3 is new and keeps its name");
    }

    #[test]
    fn what_changed_is_paired_with_what_stood_behind_the_same() {
        let mine = vec![thing("f$0", 1), thing("f$1", 2), thing("f$2", 3)];
        let others = vec![thing("f$0", 2), thing("f$1", 9)];
        let mut told = Vec::new();
        pair(mine, others, &mut HashSet::new(), |old, new| {
            told.push((old.to_owned(), new.to_owned()));
        });
        let expected = [("f$0", "f$1"), ("f$1", "f$2")];
        let expected = expected.map(|(old, new)| (old.to_owned(), new.to_owned()));
        assert_eq!(told, expected, "our f$0 is new");
    }
}
