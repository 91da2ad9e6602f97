//! Where to stop: lines, functions, exceptions, writes of a variable; each over the whole recorded run.
//!
//! A breakpoint that is hit a bearable number of times is looked up once ([`Hits`]), and going on is a search in a
//! list. One that is hit more often is searched for from where somebody stands ([`crate::search`]); calls of other
//! methods are not looked at either way.

use java_analysis::happening::{Happening, Moment, WrittenVariable};
use java_analysis::moment::Moments;
use java_analysis::variable::Variable;
use java_model::run::JavaRun;
use java_names::names;
use trace_format::{FieldId, MethodId, ObjectId, ThreadNumber};
use trace_store::{CallId, CallOutcome, ThreadCalls};

use crate::evaluation::EvaluationError;
use crate::expression::Expression;
use crate::frames::{CallVariables, Frame};
use crate::hits::Hits;
use crate::position::Stop;

/// Where it is.
#[derive(Clone, Debug, PartialEq)]
pub enum BreakpointKind {
    /// Control comes to a line of one of these methods.
    Line { methods: Vec<MethodId>, line: u32 },
    /// Control comes to a line at one of these instructions: methods and byte-code offsets, in order.
    Instructions(Vec<(MethodId, u32)>),
    /// One of these methods is entered.
    Function { methods: Vec<MethodId> },
    /// One of these methods returns.
    Exit { methods: Vec<MethodId> },
    /// A field, by the number that stands for all its numbers, is written by one of these methods; of one object, if it
    /// is named. The stop is right after it.
    FieldWrite {
        methods: Vec<MethodId>,
        field: FieldId,
        object: Option<ObjectId>,
    },
    /// Recorded code catches an exception; the stop is where it was thrown.
    Caught,
    /// An exception leaves recorded code; the stop is where it was thrown.
    Uncaught,
    /// A variable is written; the stop is right after it.
    Data(Variable),
}

/// Which of its hits count, counted over the whole run from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HitCondition {
    Exactly(u64),
    AtLeast(u64),
    Above(u64),
    AtMost(u64),
    Below(u64),
    Every(u64),
}

impl HitCondition {
    /// `5`, `== 5`, `>= 5`, `> 5`, `<= 5`, `< 5`, `% 5`.
    #[must_use]
    pub fn parse(text: &str) -> Option<HitCondition> {
        let text = text.trim();
        let digits = text.find(|sign: char| sign.is_ascii_digit())?;
        let (sign, number) = text.split_at(digits);
        let number: u64 = number.trim().parse().ok()?;
        Some(match sign.trim() {
            "" | "=" | "==" => HitCondition::Exactly(number),
            ">=" => HitCondition::AtLeast(number),
            ">" => HitCondition::Above(number),
            "<=" => HitCondition::AtMost(number),
            "<" => HitCondition::Below(number),
            "%" if number > 0 => HitCondition::Every(number),
            _ => return None,
        })
    }

    /// Whether it leaves no hit out.
    pub(crate) fn holds_always(self) -> bool {
        use HitCondition as It;
        matches!(self, It::AtLeast(0 | 1) | It::Above(0) | It::Every(1))
    }

    pub(crate) fn holds(self, number: u64) -> bool {
        match self {
            HitCondition::Exactly(wanted) => number == wanted,
            HitCondition::AtLeast(least) => number >= least,
            HitCondition::Above(bound) => number > bound,
            HitCondition::AtMost(most) => number <= most,
            HitCondition::Below(bound) => number < bound,
            HitCondition::Every(nth) => number.is_multiple_of(nth),
        }
    }
}

/// See the module's header.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    pub(crate) kind: BreakpointKind,
    pub(crate) condition: Option<Expression>,
    pub(crate) hit_condition: Option<HitCondition>,
    pub(crate) hits: Hits,
}

impl Breakpoint {
    /// One that is searched for and not looked up.
    #[must_use]
    pub fn unlisted(kind: BreakpointKind) -> Breakpoint {
        Breakpoint {
            kind,
            condition: None,
            hit_condition: None,
            hits: Hits::default(),
        }
    }

    /// Where in the run it is hit, as far as that was looked up.
    #[must_use]
    pub fn hits(&self) -> &Hits {
        &self.hits
    }

    #[must_use]
    pub fn kind(&self) -> &BreakpointKind {
        &self.kind
    }

    /// The calls that it can be hit in; the others need not be looked at.
    pub(crate) fn candidates(&self, run: &JavaRun) -> Candidates {
        match &self.kind {
            BreakpointKind::Line { methods, .. }
            | BreakpointKind::Function { methods }
            | BreakpointKind::Exit { methods }
            | BreakpointKind::FieldWrite { methods, .. } => Candidates::of_methods(methods),
            BreakpointKind::Instructions(places) => {
                let methods: Vec<MethodId> = places.iter().map(|place| place.0).collect();
                Candidates::of_methods(&methods)
            }
            BreakpointKind::Caught => {
                let catches = |method: &MethodId| {
                    let code = run.program().code(run.trace(), *method);
                    code.is_ok_and(|code| !code.code().exceptions.is_empty())
                };
                let methods: Vec<MethodId> = run.methods().filter(catches).collect();
                Candidates::of_methods(&methods)
            }
            BreakpointKind::Uncaught => Candidates::Thrown,
            BreakpointKind::Data(Variable::Local { node, .. }) => match run.call_id(*node) {
                Some(call) => Candidates::One(call),
                None => Candidates::None,
            },
            BreakpointKind::Data(_) => Candidates::None,
        }
    }

    /// Whether a call is one of its candidates.
    pub(crate) fn is_candidate(
        &self,
        run: &JavaRun,
        candidates: &Candidates,
        calls: ThreadCalls<'_>,
        index: u32,
    ) -> bool {
        let call = CallId::new(calls.thread(), index);
        match candidates {
            Candidates::None => false,
            Candidates::One(one) => *one == call,
            Candidates::Methods(wanted) => {
                wanted.get(calls.method(index).0 as usize) == Some(&true)
            }
            Candidates::Thrown => {
                let is_thrown = || {
                    let outcome = run.trace().outcome(call);
                    matches!(outcome, Ok(CallOutcome::Threw(_)))
                };
                calls.parent(index).is_none() && is_thrown()
            }
        }
    }

    /// Whether it is hit at a moment of one of its candidates.
    pub(crate) fn is_at(&self, moments: &Moments<'_>, moment: &Moment) -> bool {
        match &self.kind {
            BreakpointKind::Line { line, .. } => {
                moment.what == Happening::Line && moment.line == Some(*line)
            }
            BreakpointKind::Instructions(places) => {
                let method = moments.call().method;
                let is_there = |offset| places.binary_search(&(method, offset)).is_ok();
                moment.what == Happening::Line && moment.offset.is_some_and(is_there)
            }
            BreakpointKind::Function { .. } => moment.event == first_event(moments),
            BreakpointKind::Exit { .. } => {
                matches!(moment.what, Happening::Ended(CallOutcome::Returned(_)))
            }
            BreakpointKind::FieldWrite { field, object, .. } => {
                is_write_of(moments.run(), moment, *field, *object)
            }
            BreakpointKind::Caught => matches!(moment.what, Happening::Caught(_)),
            BreakpointKind::Uncaught => is_thrown(moment),
            BreakpointKind::Data(Variable::Local { name, .. }) => moment.assigns(name),
            BreakpointKind::Data(_) => false,
        }
    }

    /// Whether its condition holds. One that cannot be evaluated does not keep anybody from stopping.
    pub(crate) fn applies(&self, variables: &mut CallVariables<'_>, stop: &Stop) -> bool {
        self.judged(variables, stop).unwrap_or(true)
    }

    /// Whether its condition holds, or why that cannot be told.
    pub(crate) fn judged(
        &self,
        variables: &mut CallVariables<'_>,
        stop: &Stop,
    ) -> Result<bool, EvaluationError> {
        let Some(condition) = &self.condition else {
            return Ok(true);
        };
        let result = condition.evaluate_with(variables, &Frame::of(stop));
        result.map(|result| result.is_true())
    }
}

/// Which calls to look into.
#[derive(Clone, Debug)]
pub(crate) enum Candidates {
    None,
    One(CallId),
    /// The outermost calls of each thread, if an exception left them.
    Thrown,
    /// By the method's number.
    Methods(Vec<bool>),
}

impl Candidates {
    fn of_methods(methods: &[MethodId]) -> Candidates {
        let size = methods.iter().map(|method| method.0 as usize + 1).max();
        let mut wanted = vec![false; size.unwrap_or(0)];
        for method in methods {
            if let Some(wanted) = wanted.get_mut(method.0 as usize) {
                *wanted = true;
            }
        }
        Candidates::Methods(wanted)
    }

    pub(crate) fn may_be_in(&self, thread: ThreadNumber) -> bool {
        match self {
            Candidates::None => false,
            Candidates::One(one) => one.thread == thread,
            Candidates::Thrown | Candidates::Methods(_) => true,
        }
    }
}

/// The number of the event at which a call is first stopped in.
fn first_event(moments: &Moments<'_>) -> u64 {
    let has_lines = moments.code().is_some_and(|code| code.line(0).is_some());
    u64::from(has_lines)
}

fn is_write_of(run: &JavaRun, moment: &Moment, field: FieldId, of: Option<ObjectId>) -> bool {
    let Happening::Write(write) = &moment.what else {
        return false;
    };
    match write.place {
        WrittenVariable::Field {
            object,
            field: written,
        } => of.is_none_or(|of| of == object) && run.trace().resolve_field(written) == field,
        WrittenVariable::Static { field: written } => {
            of.is_none() && run.trace().resolve_field(written) == field
        }
        WrittenVariable::Element { .. } | WrittenVariable::Range { .. } => false,
    }
}

/// The methods with an instruction that writes a field, by the number that stands for all its numbers.
#[must_use]
pub fn methods_writing(run: &JavaRun, field: FieldId) -> Vec<MethodId> {
    let writes = |method: &MethodId| {
        let Ok(code) = run.program().code(run.trace(), *method) else {
            return false;
        };
        let mut instructions = code.instructions().iter().enumerate();
        instructions.any(|(at, instruction)| {
            matches!(instruction.name(), "putfield" | "putstatic")
                && code
                    .field_of(at)
                    .and_then(|site| site.id)
                    .is_some_and(|written| run.trace().resolve_field(written) == field)
        })
    };
    run.methods().filter(writes).collect()
}

pub(crate) fn is_thrown(moment: &Moment) -> bool {
    matches!(moment.what, Happening::Ended(CallOutcome::Threw(_)))
}

/// The recorded methods that have code in a line of a source file, whose path is matched from its end; the nearest line
/// at or behind it that has code, if this one has none.
#[must_use]
pub fn line_methods(
    run: &JavaRun,
    is_of_file: impl Fn(&str, Option<&str>) -> bool,
    line: u32,
) -> Option<(u32, Vec<MethodId>)> {
    let mut nearest: Option<(u32, Vec<MethodId>)> = None;
    for method in run.methods() {
        let class = run.method_names(method).class;
        let source_file = run
            .classes()
            .get(class)
            .and_then(|class| class.source_file.as_deref());
        if !is_of_file(names::package(class), source_file) {
            continue;
        }
        let code = run.code(method);
        let at = code.lines.partition_point(|&known| known < line);
        let Some(&found) = code.lines.get(at) else {
            continue;
        };
        match &mut nearest {
            Some((known, methods)) if *known == found => methods.push(method),
            Some((known, _)) if *known < found => {}
            _ => nearest = Some((found, vec![method])),
        }
    }
    nearest
}
