//! The node view at a moment inside a call: JHyde's node view with its upper bound moved.

use debug_engine::view::events::{MomentView, NamedValue, moment_text};
use debug_engine::view::render::Bounds;
use debug_engine::view::{Changed, ValueView};

use super::events::Reader;
use super::happening::{Happening, LocalAt, LocalWrite, Moment};
use super::moment::Moments;
use java_model::node_view::{view_until, with_statics_as_inputs};
use java_model::run::JavaRun;
use java_model::shown;
use java_model::source_text;

/// The call right after an event.
pub fn moment_view(moments: &mut Moments<'_>, moment: &Moment, bounds: Bounds) -> MomentView {
    let run = moments.run();
    let (node, thread) = (moments.node(), moments.call().id.thread);
    let at = shown::time(run, thread, moment.position);
    let locals = moments.locals_at(moment);
    let code = moments.code();
    let assigned = match &moment.what {
        Happening::Local(write) => Some(write.name.as_str()),
        _ => None,
    };
    // What the call was given stands among its arguments, unless it was assigned since.
    let is_local = |local: &&LocalAt| local.value.origin().is_some();
    let locals = locals.iter().filter(is_local).map(|local| {
        let mut value = shown::slot(run, code, local.value, &local.descriptor, at, bounds);
        if assigned == Some(local.name.as_str()) {
            value.changed = Changed::Changed;
        }
        NamedValue {
            name: local.name.clone(),
            value,
        }
    });
    let locals: Vec<NamedValue> = locals.collect();
    MomentView {
        call: with_statics_as_inputs(view_until(run, node, at, bounds)),
        event: Reader::new(run, node, None).view(moments, moment),
        locals,
        note: moments.trouble().map(str::to_owned),
    }
}

/// The local variables with what each held last, in the order in which they came to be. The call is walked
/// from its entry to its end for that: `None` if `goes_on` says that it takes too long.
pub fn last_locals(
    moments: &mut Moments<'_>,
    bounds: Bounds,
    mut goes_on: impl FnMut() -> bool,
) -> Option<Vec<NamedValue>> {
    let mut last: Vec<(LocalWrite, Changed)> = Vec::new();
    let mut end = None;
    let mut next = moments.at(0);
    while let Some(moment) = next {
        if !goes_on() {
            return None;
        }
        end = Some(moment.position);
        if let Happening::Local(write) = moment.what {
            let is_it = |(known, _): &&mut (LocalWrite, Changed)| {
                (known.slot, &known.name) == (write.slot, &write.name)
            };
            // A variable of an iteration comes to be anew in the next one.
            let changed = match write.before {
                Some(before) if before != write.after => Changed::Changed,
                _ => Changed::None,
            };
            match last.iter_mut().find(is_it) {
                Some(known) => *known = (write, changed),
                None => last.push((write, changed)),
            }
        }
        next = moments.next();
    }
    let (run, code, thread) = (moments.run(), moments.code(), moments.call().id.thread);
    let at = shown::time(run, thread, end?);
    let values = last.into_iter().map(|(write, changed)| NamedValue {
        value: ValueView {
            changed,
            ..shown::slot(run, code, write.after, &write.descriptor, at, bounds)
        },
        name: write.name,
    });
    Some(values.collect())
}

/// The moment for a person, with its line in the source.
#[must_use]
pub fn text(run: &JavaRun, view: &MomentView, bounds: Bounds) -> String {
    let mut text = moment_text(view, bounds);
    text.push('\n');
    let marked: Vec<u32> = view.event.line.into_iter().collect();
    if let Some(source) = source_text::excerpt(run, run.method(view.call.node), &marked) {
        text.push_str(&format!("\n{source}\n"));
    }
    text
}
