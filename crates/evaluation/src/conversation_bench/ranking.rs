//! How good a ranking of methods is: whether one that is to blame is among the first 1, 3 or 5.
//!
//! Methods with the same score could stand in any order, so what is counted is how likely one is among the first if
//! the order of equals is chance.

use inquiry::Questioning;
use inquiry::suspects::suspects;
use java_model::run::JavaRun;
use serde::{Deserialize, Serialize};

use super::case::{Case, MethodName};

/// How many of the first are looked at.
pub(super) const PLACES: [usize; 3] = [1, 3, 5];

/// Who stands behind these is not among the first, whatever equals there are.
const MOST_RANKED: usize = 50;

/// The chance that a method to blame is among the first 1, 3, 5.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Top(pub [f64; 3]);

impl Top {
    /// Of methods with their scores, each with whether it is to blame.
    pub(super) fn of(ranked: &[(f64, bool)]) -> Top {
        let blamed = ranked.iter().filter(|(_, blamed)| *blamed);
        let best = blamed.map(|(score, _)| *score).reduce(f64::max);
        let Some(best) = best else {
            return Top([0.0; 3]);
        };
        let before = ranked.iter().filter(|(score, _)| *score > best).count();
        let equals = || ranked.iter().filter(|(score, _)| *score == best);
        let to_blame = equals().filter(|(_, blamed)| *blamed).count();
        let equals = equals().count();
        Top(PLACES.map(|places| {
            let places = places.saturating_sub(before).min(equals);
            1.0 - chance_of_none(equals, to_blame, places)
        }))
    }

    /// Something was named.
    pub(super) fn found(is_right: bool) -> Top {
        Top([f64::from(u8::from(is_right)); 3])
    }
}

/// How likely none of `marked` of `all` is drawn when `drawn` of them are.
fn chance_of_none(all: usize, marked: usize, drawn: usize) -> f64 {
    let others = all - marked;
    if drawn > others {
        return 0.0;
    }
    let factors = (0..drawn).map(|taken| (others - taken) as f64 / (all - taken) as f64);
    factors.product()
}

/// The methods by what failing and passing tests ran (Ochiai); `None` if there are no tests.
pub(super) fn ochiai(run: &JavaRun, case: &Case) -> Option<Top> {
    run.failed_tests(None).next()?;
    let trusted = run.compiler_made();
    let methods = run
        .methods()
        .filter(|&method| !trusted.contains(&java_model::run::routine(method)));
    let ranked = methods.filter_map(|method| {
        let suspicion = run.spectrum().suspicion(method)?;
        let names = run.method_names(method);
        let name = MethodName::new(names.class, names.name, names.descriptor);
        Some((suspicion.score, case.blames(&name)))
    });
    Some(Top::of(&ranked.collect::<Vec<_>>()))
}

/// The methods by what is believed of them, as the session stands.
pub(super) fn ranked(run: &JavaRun, questioning: &Questioning, case: &Case) -> Top {
    let suspects = suspects(questioning.session(), MOST_RANKED);
    let ranked = suspects.iter().map(|suspect| {
        let names = run.method_names(run.method(suspect.call));
        let name = MethodName::new(names.class, names.name, names.descriptor);
        (suspect.likelihood, case.blames(&name))
    });
    Top::of(&ranked.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_their_places() {
        let ranked = [(0.9, false), (0.5, true), (0.5, false), (0.1, false)];
        let Top([first, three, five]) = Top::of(&ranked);
        assert!(first.abs() < 1e-9);
        assert!((three - 1.0).abs() < 1e-9);
        assert!((five - 1.0).abs() < 1e-9);
        let Top([first, three, _]) =
            Top::of(&[(1.0, true), (1.0, false), (1.0, true), (1.0, false)]);
        assert!((first - 0.5).abs() < 1e-9);
        assert!((three - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_method_that_is_not_ranked_is_not_found() {
        assert_eq!(Top::of(&[(1.0, false)]), Top([0.0; 3]));
        assert_eq!(Top::of(&[]), Top([0.0; 3]));
    }
}
