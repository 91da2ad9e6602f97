//! Constructors in a class that extends another one than they were compiled for.
//!
//! A constructor calls one of the class above, and the JVM takes no other. One that came with the other version's code,
//! or stayed where the declaration came from there, calls the wrong one, so its call is redirected: to a constructor
//! that the right version's constructors call, with those of its own arguments that fit, and with nothing for the rest.

use std::collections::BTreeSet;

use java_names::descriptor::{JavaType, MethodType, parse_method};

use super::{GraftError, Grafting};
use crate::{ClassFile, Code, CodeEditor, Snippet, constructor, opcode};

const CONSTRUCTOR: &str = "<init>";

/// A call of a constructor above.
struct SuperCall {
    instruction: usize,
    owner: String,
    descriptor: String,
}

impl Grafting<'_> {
    /// Redirects the calls of constructors of classes that the host does not extend.
    pub(super) fn redirect_super_calls(&mut self) -> Result<(), GraftError> {
        let Some(extended) = self.host.super_name().map(|name| name.into_owned()) else {
            return Ok(());
        };
        let own = self.host.name()?.into_owned();
        let mut lost = Vec::new();
        for at in 0..self.host.methods.len() {
            let calls = super_calls(&self.host, at)?.into_iter();
            let others = calls.filter(|call| call.owner != extended && call.owner != own);
            lost.extend(others.map(|call| (at, call)));
        }
        if lost.is_empty() {
            return Ok(());
        }
        let known = self.constructors_above.iter();
        let known = known.filter(|(owner, _)| *owner == extended);
        let mut known: BTreeSet<String> = known.map(|(_, descriptor)| descriptor.clone()).collect();
        let donor = self.transplant.donor();
        let names = self.transplant.renaming();
        for at in 0..donor.methods.len() {
            for call in super_calls(donor, at)? {
                if names.class(&call.owner) == extended {
                    known.insert(names.descriptor(&call.descriptor).into_owned());
                }
            }
        }
        // Several in one constructor are redirected from behind, so that the numbers before stay what they are.
        for (at, call) in lost.iter().rev() {
            self.redirect(*at, call, &extended, &known)?;
        }
        Ok(())
    }

    fn redirect(
        &mut self,
        at: usize,
        call: &SuperCall,
        extended: &str,
        known: &BTreeSet<String>,
    ) -> Result<(), GraftError> {
        let method = &self.host.methods[at];
        let own = self.host.method_descriptor(method)?.into_owned();
        let (Ok(own), Ok(passed)) = (parse_method(&own), parse_method(&call.descriptor)) else {
            return Ok(());
        };
        let best = known.iter().filter_map(|one| {
            let wanted = parse_method(one).ok()?;
            let is_same = *one == call.descriptor;
            let given = arguments(&wanted, &own);
            let lacking = given.iter().filter(|local| local.is_none()).count();
            let found = given.len() - lacking;
            Some(((!is_same, lacking, usize::MAX - found), one, given))
        });
        let best = best.min_by(|one, other| one.0.cmp(&other.0));
        let Some((_, descriptor, given)) = best else {
            return Ok(());
        };
        let mut snippet = Snippet::new();
        if *descriptor != call.descriptor {
            for kind in passed.parameters.iter().rev() {
                snippet.op(match kind.slots() {
                    2 => opcode::POP2,
                    _ => opcode::POP,
                });
            }
            let wanted = parse_method(descriptor).map(|wanted| wanted.parameters);
            for (kind, local) in wanted.unwrap_or_default().into_iter().zip(given) {
                match local {
                    Some(local) => snippet.load(kind, local),
                    None => snippet.op(nothing(kind)),
                };
            }
        }
        let target = self
            .host
            .constants
            .add_method_ref(extended, CONSTRUCTOR, descriptor)?;
        let method = &self.host.methods[at];
        let mut code: Code = self.host.code(method)?.unwrap_or_default();
        let instructions = code.instructions()?;
        if let Some(found) = instructions.get(call.instruction) {
            let place = found.pc as usize + 1;
            code.bytes.splice(place..place + 2, target.to_be_bytes());
        }
        let mut editor = CodeEditor::new(&self.host, method, &code)?;
        editor.before(call.instruction, &snippet);
        let code = editor.finish(&mut self.host.constants)?;
        self.host.set_code(at, &code)?;
        Ok(())
    }
}

/// The constructors of other classes that those of a class call.
pub(super) fn constructors_above(
    class: &ClassFile,
) -> Result<BTreeSet<(String, String)>, GraftError> {
    let mut found = BTreeSet::new();
    for at in 0..class.methods.len() {
        let calls = super_calls(class, at)?.into_iter();
        found.extend(calls.map(|call| (call.owner, call.descriptor)));
    }
    Ok(found)
}

/// For each parameter of a constructor the local of one's own parameter that fits, each used once.
fn arguments(wanted: &MethodType<'_>, own: &MethodType<'_>) -> Vec<Option<u16>> {
    let mut local = 1;
    let mut mine: Vec<Option<(JavaType<'_>, u16)>> = Vec::new();
    for &kind in &own.parameters {
        mine.push(Some((kind, local)));
        local += kind.slots();
    }
    let mut take = |kind: JavaType<'_>| {
        let fits = |one: &&mut Option<(JavaType<'_>, u16)>| {
            one.is_some_and(|(mine, _)| mine.descriptor() == kind.descriptor())
        };
        let found = mine.iter_mut().find(fits)?;
        found.take().map(|(_, local)| local)
    };
    wanted.parameters.iter().map(|&kind| take(kind)).collect()
}

/// Pushes zero, false or null.
fn nothing(kind: JavaType<'_>) -> u8 {
    match kind {
        JavaType::Long => opcode::LCONST_0,
        JavaType::Float => opcode::FCONST_0,
        JavaType::Double => opcode::DCONST_0,
        _ if kind.is_reference() => opcode::ACONST_NULL,
        _ => opcode::ICONST_0,
    }
}

fn super_calls(class: &ClassFile, at: usize) -> Result<Vec<SuperCall>, GraftError> {
    let method = &class.methods[at];
    if class.method_name(method)? != CONSTRUCTOR {
        return Ok(Vec::new());
    }
    let Some(code) = class.code(method)? else {
        return Ok(Vec::new());
    };
    let instructions = code.instructions()?;
    let mut calls = Vec::new();
    for instruction in constructor::super_calls(&instructions, &class.constants) {
        let constant = instructions[instruction].cp_index().unwrap_or_default();
        let member = class.constants.member_ref(constant)?;
        calls.push(SuperCall {
            instruction,
            owner: member.owner.into_owned(),
            descriptor: member.descriptor.into_owned(),
        });
    }
    Ok(calls)
}
