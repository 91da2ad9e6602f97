//! The name under which a call knows an object: a local variable that holds it, or a field of one. A person who reads
//! the call's code knows `c[2]` and not `int[]#21[2]`.

use frame_replay::Replay;
use java_model::run::JavaRun;
use java_model::shown;
use trace_format::{ObjectId, TraceTime, Value};

/// The name, if there is one where the replay stands.
pub(crate) fn holder_of(
    run: &JavaRun,
    replay: &Replay<'_>,
    object: ObjectId,
    at: TraceTime,
) -> Option<String> {
    let locals = replay.named_locals();
    let held = |local: &&frame_replay::NamedLocal<'_>| local.value.object() == Some(object);
    if let Some(local) = locals.iter().find(held) {
        return Some(local.name.to_owned());
    }
    locals.iter().find_map(|local| {
        let state = run.read(run.trace().object_state(local.value.object()?, at))?;
        let mut fields = state.fields.into_iter();
        let (field, _) = fields.find(|(_, slot)| slot.value == Value::Ref(object))?;
        Some(format!("{}.{}", local.name, shown::field_name(run, field)))
    })
}
