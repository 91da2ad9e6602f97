//! What it saves to tell the default strategy where to look first (`--changed-since`) or what is quick to
//! read (`--weigh cost`), on the [mutants](super::mutants).
//!
//! How much a hint saves depends on how good it is. So the changed method is named alone, among others that changed
//! as well, and not at all.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use debug_engine::session::QuestionCost as _;
use debug_engine::{RoutineId, Session, Target, strategy};
use java_analysis::reading::Reading;
use java_analysis::recording::Recording;
use java_model::run::{JavaRun, routine};
use trace_format::MethodId;

use super::Recorded;
use super::truth::{Truth, is_called, search};

/// How many methods changed besides the one with the mistake in it.
const OTHERS: usize = 3;

/// What the strategy is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guide {
    Nothing,
    Changed { mistake: bool, others: usize },
    Cost,
}

const GUIDES: [(Guide, &str); 5] = [
    (Guide::Nothing, "nothing"),
    (
        Guide::Changed {
            mistake: true,
            others: 0,
        },
        "`--changed-since`: only the method with the mistake changed",
    ),
    (
        Guide::Changed {
            mistake: true,
            others: OTHERS,
        },
        "`--changed-since`: it and three others changed",
    ),
    (
        Guide::Changed {
            mistake: false,
            others: OTHERS,
        },
        "`--changed-since`: three others changed, the mistake is older",
    ),
    (Guide::Cost, "`--weigh cost`"),
];

/// One session to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guided {
    pub questions: usize,
    /// The length of all questions.
    pub signs: u64,
    /// Whether a call of the changed method was named.
    pub is_found: bool,
}

/// A session for each guide.
pub(super) fn measure(
    recorded: &Recorded,
    changed: MethodId,
    line: u32,
    truth: &mut Truth<'_>,
) -> Vec<Guided> {
    let run = &recorded.run;
    let recording: Arc<dyn Recording> = Arc::<JavaRun>::clone(run);
    let reading = Arc::new(Reading::of(&recording));
    let others = others(recorded, changed, line);
    let guides = GUIDES.iter().map(|&(guide, _)| {
        let prepare = |session: &mut Session| match guide {
            Guide::Nothing => {}
            Guide::Changed {
                mistake,
                others: count,
            } => {
                let mistake = mistake.then(|| routine(changed));
                let methods = mistake
                    .into_iter()
                    .chain(others[..count.min(others.len())].iter().copied());
                let scores: Vec<(RoutineId, f64)> = methods.map(|method| (method, 0.5)).collect();
                session.set_suspicion(&scores);
            }
            Guide::Cost => session.set_question_cost(Some(Arc::<Reading>::clone(&reading))),
        };
        let (asked, blamed) = search(recorded, strategy::DEFAULT, truth, prepare);
        let signs = asked.iter().map(|&target: &Target| reading.signs(target));
        Guided {
            questions: asked.len(),
            signs: signs.sum(),
            is_found: blamed.is_some_and(|node| run.method(node) == changed),
        }
    });
    guides.collect()
}

/// The other methods that were called, in an order that mixes them and never changes.
fn others(recorded: &Recorded, changed: MethodId, line: u32) -> Vec<RoutineId> {
    let run = &recorded.run;
    let others = run.methods().filter(|&method| {
        method != changed && !recorded.trusted.contains(&routine(method)) && is_called(run, method)
    });
    let mut mixed: Vec<(u64, RoutineId)> = others
        .map(|method| {
            let names = run.method_names(method);
            let mut hasher = DefaultHasher::new();
            (names.class, names.name, names.descriptor, line).hash(&mut hasher);
            (hasher.finish(), routine(method))
        })
        .collect();
    mixed.sort_unstable();
    mixed.into_iter().map(|(_, routine)| routine).collect()
}

/// The second table.
pub(super) fn to_markdown<'m>(mutants: impl Iterator<Item = &'m [Guided]> + Clone) -> String {
    let mut text = String::from(
        "\nThe default strategy on the same mutants, told what changed lately or to weigh what has to be read. The \
         other methods are chosen by chance, from a fixed seed. *Signs* is the length of all questions of a search.\n\n\
         | told | questions | at worst | fewer | as many | more | signs | found |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for (number, (_, name)) in GUIDES.iter().enumerate() {
        let pairs = mutants
            .clone()
            .filter_map(|guided| Some((guided.first()?, guided.get(number)?)));
        let pairs: Vec<(&Guided, &Guided)> = pairs.collect();
        let mean = |of: &dyn Fn(&Guided) -> f64| {
            let sum: f64 = pairs.iter().map(|(_, guided)| of(guided)).sum();
            sum / pairs.len().max(1) as f64
        };
        let count = |is_counted: &dyn Fn(usize, usize) -> bool| {
            let counted = pairs.iter();
            counted
                .filter(|(plain, guided)| is_counted(guided.questions, plain.questions))
                .count()
        };
        let worst = pairs.iter().map(|(_, guided)| guided.questions).max();
        let found = pairs.iter().filter(|(_, guided)| guided.is_found).count();
        let _ = writeln!(
            text,
            "| {name} | {:.2} | {} | {} | {} | {} | {:.0} | {found} of {} |",
            mean(&|guided| guided.questions as f64),
            worst.unwrap_or_default(),
            count(&|guided, plain| guided < plain),
            count(&|guided, plain| guided == plain),
            count(&|guided, plain| guided > plain),
            mean(&|guided| guided.signs as f64),
            pairs.len(),
        );
    }
    text
}
