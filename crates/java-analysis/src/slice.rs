//! Where a value came from: a dynamic slice, backwards, across calls.
//!
//! What is followed are *links*: an assignment of a local, a write to the heap, a result, an
//! argument, a new object, a call of library code, a decision. Between two links lie instructions
//! that only load, move and compute; they are looked through. First the values themselves are
//! followed, then what chose the place they were read from (indices, references).

mod callbacks;
mod contents;
mod heap;
mod library;
mod missed;
mod never_written;

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

use classfile::opcode;
use frame_replay::{CallRole, InvokeSite, OperandSource, Program};
use trace_store::{CallId, CallOutcome};

use super::control::Control;
use super::frames::Frames;
pub(super) use super::links::{Link, Node, Taken, Variable};
use java_model::run::JavaRun;

/// A slice as a graph; the nodes in the order in which they were found.
pub(super) struct Graph<'run> {
    pub(super) run: &'run JavaRun,
    pub(super) frames: Frames<'run>,
    pub(super) nodes: Vec<Node>,
    pub(super) stopped: bool,
    controls: HashMap<trace_format::MethodId, Option<Control>>,
    numbers: HashMap<Link, usize>,
    /// What chose places, to be followed when the values themselves have been.
    later: VecDeque<(Option<usize>, Link)>,
    /// So many nodes have been followed.
    followed: usize,
    control: bool,
    most: usize,
    until: Option<Instant>,
    /// Whether all that library code found in what it was given is followed as well.
    opens_contents: bool,
}

impl<'run> Graph<'run> {
    /// Follows these links backwards, at most `most` of them.
    pub(super) fn follow(
        run: &'run JavaRun,
        program: &'run Program,
        starts: Taken,
        control: bool,
        most: usize,
    ) -> Self {
        let mut graph = Graph {
            run,
            frames: Frames::new(run, program),
            nodes: Vec::new(),
            stopped: false,
            controls: HashMap::new(),
            numbers: HashMap::new(),
            later: VecDeque::new(),
            followed: 0,
            control,
            most,
            until: None,
            opens_contents: false,
        };
        graph.go_on_with(starts);
        graph
    }

    /// Follows decisions too from now on, those about all that was followed included: at most `more` links.
    pub(super) fn widen(&mut self, more: usize) {
        self.control = true;
        self.most = self.nodes.len() + more;
        for place in 0..self.nodes.len() {
            if self.is_late() {
                return;
            }
            let decision = self.decision_of(self.nodes[place].link);
            self.later.extend(decision.map(|link| (Some(place), link)));
        }
        self.go_on_with(Taken::default());
    }

    /// Follows what is inside of what library code is given, too.
    pub(super) fn open_contents(&mut self) {
        self.opens_contents = true;
    }

    /// Stops following at this time.
    pub(super) fn stop_at(&mut self, until: Instant) {
        self.until = Some(until);
    }

    fn is_late(&mut self) -> bool {
        let is_late =
            self.frames.is_spent() || self.until.is_some_and(|until| Instant::now() >= until);
        self.stopped |= is_late;
        is_late
    }

    /// Follows these links, and what was left for later.
    pub(super) fn go_on_with(&mut self, starts: Taken) {
        for link in starts.values {
            self.add(None, link);
        }
        let addresses = starts.addresses.into_iter();
        self.later.extend(addresses.map(|link| (None, link)));
        loop {
            while self.followed < self.nodes.len() {
                if self.is_late() {
                    return;
                }
                self.follow_next();
            }
            match self.later.pop_front() {
                Some((from, link)) => self.add(from, link),
                None => break,
            }
        }
    }

    fn follow_next(&mut self) {
        let place = self.followed;
        let link = self.nodes[place].link;
        let mut taken = self.taken_by(link);
        taken.values.extend(self.choices(link, &taken));
        if self.control {
            taken.addresses.extend(self.decision_of(link));
        }
        for &value in &taken.values {
            self.add(Some(place), value);
        }
        let addresses = taken.addresses.iter();
        self.later
            .extend(addresses.map(|&link| (Some(place), link)));
        self.nodes[place].taken = taken;
        self.followed += 1;
    }

    fn add(&mut self, user: Option<usize>, link: Link) {
        let number = match self.numbers.get(&link) {
            Some(&number) => number,
            None if self.nodes.len() >= self.most => {
                self.stopped = true;
                return;
            }
            None => {
                self.nodes.push(Node {
                    link,
                    from: Vec::new(),
                    taken: Taken::default(),
                });
                self.numbers.insert(link, self.nodes.len() - 1);
                self.nodes.len() - 1
            }
        };
        if let Some(user) = user
            && user != number
            && !self.nodes[user].from.contains(&number)
        {
            self.nodes[user].from.push(number);
        }
    }

    fn taken_by(&mut self, link: Link) -> Taken {
        let taken = match link {
            Link::Local(call, step) | Link::Decision(call, step) => {
                self.operands(call, step, Some(0))
            }
            Link::Library(call, step) => self.library(call, step),
            Link::Kept(call, step, operand) => self.kept(call, step, operand),
            Link::Moved(call, step, value) => self.moved(call, step, value),
            Link::Made(call, step) => self.operands(call, step, Some(0)),
            Link::Written(thread, position, variable) => self.writer(thread, position, variable),
            Link::Return(call) => self.returned(call),
            Link::Argument(call, local) => self.given(call, local),
            Link::Initial(variable) if self.opens_contents => Ok(self.never_written(variable)),
            Link::Initial(_)
            | Link::Outside(..)
            | Link::WrittenOutside(..)
            | Link::WrittenByLibrary(..) => Ok(Taken::default()),
        };
        let mut taken = taken.unwrap_or_else(|trouble| Taken {
            trouble: Some(trouble),
            ..Taken::default()
        });
        match link {
            // What is known to have been put in and taken out again is followed by itself.
            Link::Library(call, step) if self.opens_contents && !self.is_given_back(call, step) => {
                self.add_contents(call, step, &mut taken);
            }
            Link::Library(call, step) | Link::Kept(call, step, _) | Link::Moved(call, step, _)
                if self.opens_contents =>
            {
                self.add_callbacks(call, step, &mut taken);
            }
            _ => {}
        }
        taken
    }

    /// What the operands of a step were made of; those from `values` on are values, those before
    /// chose a place. `None`: only the last one is a value.
    fn operands(
        &mut self,
        call: CallId,
        step: u64,
        values: Option<usize>,
    ) -> Result<Taken, String> {
        let sources: Vec<OperandSource> = self.frames.get(call)?.flow.sources(step).collect();
        let first_value = values.unwrap_or(sources.len().saturating_sub(1));
        let mut taken = Taken::default();
        for (number, source) in sources.into_iter().enumerate() {
            self.look_through(call, source, number >= first_value, &mut taken)?;
        }
        Ok(taken)
    }

    /// Looks through instructions that only load, move and compute.
    pub(super) fn look_through(
        &mut self,
        call: CallId,
        source: OperandSource,
        is_value: bool,
        taken: &mut Taken,
    ) -> Result<(), String> {
        let mut open = vec![(source, is_value)];
        let mut seen = HashSet::new();
        while let Some((source, is_value)) = open.pop() {
            if !seen.insert((source, is_value)) {
                continue;
            }
            let step = match source {
                OperandSource::Local(local) => {
                    push(taken, is_value, Link::Argument(call, local));
                    continue;
                }
                OperandSource::Step(step) => step,
            };
            let frame = self.frames.get(call)?;
            let Some(at) = frame.instruction(step) else {
                continue;
            };
            let code = frame.code;
            let Some(instruction) = code.instructions().get(at) else {
                continue;
            };
            let sources: Vec<OperandSource> = frame.flow.sources(step).collect();
            let op = instruction.opcode;
            if instruction.is_local_store() || op == opcode::IINC {
                push(taken, is_value, Link::Local(call, step));
            } else if instruction.is_array_load()
                || matches!(op, opcode::GETFIELD | opcode::GETSTATIC)
            {
                let link = self.read(call, step)?;
                push(taken, is_value, link);
                open.extend(sources.into_iter().map(|source| (source, false)));
            } else if let Some(site) = code.invoked_by(at) {
                // After `super(…)`, `this` is what it was before.
                if site.role == CallRole::Super {
                    continue;
                }
                let made = site.role == CallRole::Allocation;
                let child = frame
                    .step(step)
                    .and_then(|(_, children)| children.last().copied());
                let child = child.filter(|&child| is_callee(self.run, child, site));
                push(
                    taken,
                    is_value,
                    match child {
                        _ if made => Link::Made(call, step),
                        Some(child) => Link::Return(child),
                        None => Link::Library(call, step),
                    },
                );
            } else if matches!(
                op,
                opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY
            ) {
                push(taken, is_value, Link::Made(call, step));
            } else if op != opcode::NEW {
                if sources.is_empty() {
                    taken.constants.push((call, step));
                }
                taken.computed |= is_value && computes(op);
                open.extend(sources.into_iter().rev().map(|source| (source, is_value)));
            }
        }
        Ok(())
    }

    fn returned(&mut self, call: CallId) -> Result<Taken, String> {
        let frame = self.frames.get(call)?;
        match frame.call.outcome {
            CallOutcome::Returned(_) | CallOutcome::Threw(_) => {
                let last = frame.flow.len().saturating_sub(1);
                self.operands(call, last, Some(0))
            }
            _ => Err("the call did not return".to_owned()),
        }
    }

    /// The step of the caller that made a call.
    fn calling_step(&mut self, call: CallId) -> Result<(CallId, u64), String> {
        let called = self
            .run
            .trace()
            .call(call)
            .map_err(|error| error.to_string())?;
        let Some(caller) = called.parent else {
            return Err("nothing recorded made the call".to_owned());
        };
        let frame = self.frames.get(caller)?;
        match frame.step_at(called.entry) {
            Some((step, _)) => Ok((caller, step)),
            None => Err("the instruction that made the call was not found".to_owned()),
        }
    }

    /// The line at which a call was made.
    pub(super) fn calling_line(&mut self, call: CallId) -> Option<u32> {
        let (caller, step) = self.calling_step(call).ok()?;
        self.frames.get(caller).ok()?.line(step)
    }

    fn given(&mut self, call: CallId, local: u16) -> Result<Taken, String> {
        match self.given_by_caller(call, local)? {
            Some(taken) => Ok(taken),
            None => {
                let calling = self.calling_step(call)?;
                self.given_by_library(call, local, calling)
            }
        }
    }

    /// What the caller gave a call in a local; `None` if it was library code in between that did.
    fn given_by_caller(&mut self, call: CallId, local: u16) -> Result<Option<Taken>, String> {
        if self
            .run
            .trace()
            .call(call)
            .is_ok_and(|called| called.parent.is_none())
        {
            return Ok(Some(Taken::default()));
        }
        let (caller, step) = self.calling_step(call)?;
        let frame = self.frames.get(caller)?;
        let site = frame
            .instruction(step)
            .and_then(|at| frame.code.invoked_by(at));
        let Some(site) = site.filter(|site| is_callee(self.run, call, site)) else {
            return Ok(None);
        };
        let mut slot = u16::from(site.has_receiver);
        let mut operand = usize::from(site.has_receiver);
        if local == 0 && site.has_receiver {
            operand = 0;
        } else {
            for kind in &site.parameters {
                if slot == local {
                    break;
                }
                slot += if kind.size() == 8 { 2 } else { 1 };
                operand += 1;
            }
        }
        let mut taken = Taken::default();
        self.operand(caller, step, operand, &mut taken)?;
        Ok(Some(taken))
    }

    /// The decisions that chose between constants, as in `a = b > c`: to a person that is data.
    fn choices(&mut self, link: Link, taken: &Taken) -> Vec<Link> {
        if taken.constants.is_empty() {
            return Vec::new();
        }
        let own = self.decision_of(link);
        let chosen = taken.constants.iter();
        let chosen = chosen.filter_map(|&(call, step)| self.decider(call, step));
        chosen.filter(|decision| Some(*decision) != own).collect()
    }

    /// The decision because of which a link came to be.
    pub(super) fn decision_of(&mut self, link: Link) -> Option<Link> {
        let (call, step) = self.instruction(link)?;
        self.decider(call, step)
    }

    /// The instruction that gave a link its value, as a step of a call.
    pub(super) fn instruction(&mut self, link: Link) -> Option<(CallId, u64)> {
        Some(match link {
            Link::Local(call, step)
            | Link::Made(call, step)
            | Link::Library(call, step)
            | Link::Kept(call, step, _)
            | Link::Moved(call, step, _)
            | Link::Decision(call, step)
            | Link::Outside(call, step) => (call, step),
            Link::Written(thread, position, _) => {
                let call = self
                    .run
                    .read(self.run.trace().call_of(thread, position))??;
                (call, self.frames.get(call).ok()?.step_at(position)?.0)
            }
            Link::Return(call) => {
                let last = self.frames.get(call).ok()?.flow.len().checked_sub(1)?;
                (call, last)
            }
            Link::Argument(call, _) => self.calling_step(call).ok()?,
            Link::WrittenByLibrary(..) | Link::WrittenOutside(..) | Link::Initial(_) => {
                return None;
            }
        })
    }

    pub(super) fn decider(&mut self, call: CallId, step: u64) -> Option<Link> {
        let frame = self.frames.get(call).ok()?;
        let control = self
            .controls
            .entry(frame.call.method)
            .or_insert_with(|| Control::of(frame.code));
        let decider = control.as_ref()?.decider(&frame.flow, step)?;
        Some(Link::Decision(call, decider))
    }
}

/// Whether an instruction makes a value of others, which conversions and moves do not.
pub(super) fn computes(op: u8) -> bool {
    matches!(op, opcode::IADD..=opcode::IINC | opcode::LCMP..=opcode::DCMPG)
}

pub(super) fn push(taken: &mut Taken, is_value: bool, link: Link) {
    let list = if is_value {
        &mut taken.values
    } else {
        &mut taken.addresses
    };
    if !list.contains(&link) {
        list.push(link);
    }
}

/// Whether a call is what an instruction meant: its callee, not something that library code or
/// the JVM called on the way.
pub(super) fn is_callee(run: &JavaRun, call: CallId, site: &InvokeSite) -> bool {
    let method = run
        .trace()
        .calls(call.thread)
        .map(|calls| calls.method(call.index));
    method.is_ok_and(|method| {
        let names = run.method_names(method);
        (names.name, names.descriptor) == (&site.name, &site.descriptor)
    })
}
