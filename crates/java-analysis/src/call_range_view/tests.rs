//! What is shown of several calls is the state after the last compared with the state before the first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use debug_engine::transform::NodeKind;
use debug_engine::view::render::Bounds;
use debug_engine::view::{CallRangeView, ValueView};
use debug_engine::{ExecutionTree, NodeId, Target};
use proptest::prelude::*;
use trace_format::{EndReason, FieldId, ObjectId, Value};
use trace_store::sketch::Sketch;

use super::{NOT_THERE, call_range_view};
use java_model::heap::Heap as _;
use java_model::run::JavaRun;

const SOURCE: &str = "class Knot {
    Knot left;
    Knot right;
    int count;
    static Knot top;

    void work(Knot other) { other.count++; count++; left = other; top = this; right = top; }

    public static void main(String[] args) { }
}
";

const FIELDS: [&str; 3] = ["left", "right", "count"];

/// What one object holds: two objects by their numbers, and a number.
type Held = [Option<usize>; 3];

/// One write of a random program.
#[derive(Clone, Debug)]
struct Write {
    object: usize,
    field: usize,
    value: usize,
}

/// A call of `work`: the receiver, the argument, what it writes, and what its caller writes after it.
#[derive(Clone, Debug)]
struct Work {
    this: usize,
    other: usize,
    own: Vec<Write>,
    after: Vec<Write>,
    /// Whether the caller makes one more object afterwards.
    makes: bool,
}

fn write(objects: usize) -> impl Strategy<Value = Write> {
    (0..objects, 0..FIELDS.len(), 0..objects + 3).prop_map(|(object, field, value)| Write {
        object,
        field,
        value,
    })
}

const OBJECTS: usize = 6;

fn works() -> impl Strategy<Value = Vec<Work>> {
    let writes = || prop::collection::vec(write(OBJECTS), 0..4);
    let work = (0..OBJECTS, 0..OBJECTS, writes(), writes(), any::<bool>());
    let work = work.prop_map(|(this, other, own, after, makes)| Work {
        this,
        other,
        own,
        after,
        makes,
    });
    prop::collection::vec(work, 2..8)
}

fn class_file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let classes = test_support::Fixture::new()
            .source("Knot.java", SOURCE)
            .compile()
            .unwrap();
        std::fs::read(classes.dir().join("Knot.class")).unwrap()
    })
}

/// A program while it runs: the sketch, and what its objects hold.
struct Running {
    sketch: Sketch,
    fields: [FieldId; 3],
    objects: Vec<ObjectId>,
    held: Vec<Held>,
}

impl Running {
    /// Numbers beyond the objects there are mean `null`, and objects that are not there yet the first.
    fn write(&mut self, write: &Write) {
        let thread = trace_format::ThreadNumber(0);
        let object = write.object.min(self.objects.len() - 1);
        let (value, held) = match write.field {
            2 => (Value::Int(write.value as i32), Some(write.value)),
            _ => match self.objects.get(write.value) {
                Some(&other) => (Value::Ref(other), Some(write.value)),
                None => (Value::NULL, None),
            },
        };
        self.held[object][write.field] = held;
        let (id, field) = (self.objects[object], self.fields[write.field]);
        self.sketch.put_field(thread, id, field, value);
    }

    fn make(&mut self) {
        let object = self.sketch.object(trace_format::ThreadNumber(0), "Knot");
        self.objects.push(object);
        self.held.push([None, None, Some(0)]);
    }
}

struct Ran {
    run: JavaRun,
    /// What the objects held before and after each call.
    states: Vec<(Vec<Held>, Vec<Held>)>,
    objects: Vec<ObjectId>,
    _folder: tempfile::TempDir,
}

/// The nodes: 0 is `main`, the works follow in their order.
fn run_of(works: &[Work]) -> Ran {
    let mut sketch = Sketch::new();
    let thread = sketch.thread("main");
    let class = sketch.class_with_file("Knot", class_file());
    let work = sketch.method(class, 0, "work", "(LKnot;)V");
    let main = sketch.method(class, 9, "main", "([Ljava/lang/String;)V");
    let fields = [
        sketch.field("Knot", "left", "LKnot;", false),
        sketch.field("Knot", "right", "LKnot;", false),
        sketch.field("Knot", "count", "I", false),
    ];
    let arguments = sketch.new_array(thread, "[Ljava.lang.String;", 0);
    sketch.enter(thread, main, &[Value::Ref(arguments)]);
    let mut running = Running {
        sketch,
        fields,
        objects: Vec::new(),
        held: Vec::new(),
    };
    for _ in 0..OBJECTS - 2 {
        running.make();
    }
    let mut states = Vec::new();
    for call in works {
        let last = running.objects.len() - 1;
        let [this, other] = [call.this, call.other].map(|at| running.objects[at.min(last)]);
        let values = [Value::Ref(this), Value::Ref(other)];
        running.sketch.enter(thread, work, &values);
        let before = running.held.clone();
        call.own.iter().for_each(|write| running.write(write));
        running.sketch.exit(thread, None);
        states.push((before, running.held.clone()));
        if call.makes && running.objects.len() < OBJECTS {
            running.make();
        }
        call.after.iter().for_each(|write| running.write(write));
    }
    running.sketch.exit(thread, None).end(EndReason::Exit);
    let folder = tempfile::tempdir().unwrap();
    running.sketch.write_run(folder.path()).unwrap();
    Ran {
        run: JavaRun::open(folder.path(), None, &mut |_, _| {}).unwrap(),
        states,
        objects: running.objects,
        _folder: folder,
    }
}

type Difference = (u64, String);

/// Every field that a view says to differ, by its object, with both texts.
fn shown_changes(view: &CallRangeView) -> BTreeMap<Difference, (String, String)> {
    let mut found = BTreeMap::new();
    for named in &view.state {
        if let Some(after) = &named.state.after {
            differences(&named.state.before, after, &mut found);
        }
    }
    found
}

fn text(value: &ValueView) -> String {
    match value.id {
        Some(id) => format!("#{id}"),
        None => value.text.clone(),
    }
}

fn differences(
    before: &ValueView,
    after: &ValueView,
    found: &mut BTreeMap<Difference, (String, String)>,
) {
    let Some(id) = after.id.filter(|_| before.id == after.id) else {
        return;
    };
    for (earlier, later) in before.children.iter().zip(&after.children) {
        assert_eq!(earlier.label, later.label);
        let debug_engine::view::Label::Field(name) = &later.label else {
            continue;
        };
        let texts = (text(&earlier.value), text(&later.value));
        if texts.0 != texts.1 {
            let known = found.insert((id, name.clone()), texts.clone());
            assert!(known.is_none_or(|known| known == texts), "{name} of #{id}");
        }
        differences(&earlier.value, &later.value, found);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn calls_taken_together_show_the_difference_between_their_beginning_and_their_end(
        works in works(),
        ends in (0usize..8, 0usize..8),
    ) {
        let ran = run_of(&works);
        let (first, last) = (ends.0.min(ends.1) % works.len(), ends.0.max(ends.1) % works.len());
        let (first, last) = (first.min(last), first.max(last));
        prop_assume!(first < last);
        let children: Vec<NodeId> = <dyn ExecutionTree>::children(&ran.run, NodeId(0)).collect();
        let target = Target::between(children[first], children[last]);
        let view = call_range_view(&ran.run, target, NodeKind::Projection, Bounds::default());
        let shown = shown_changes(&view);
        let (before, after) = (&ran.states[first].0, &ran.states[last].1);
        let name = |held: Option<usize>, field: usize| match (field, held) {
            (2, held) => held.unwrap_or_default().to_string(),
            (_, Some(object)) => format!("#{}", ran.run.number(ran.objects[object])),
            (_, None) => "null".to_owned(),
        };
        let mut true_changes = BTreeMap::new();
        for (object, (earlier, later)) in before.iter().zip(after).enumerate() {
            for (field, label) in FIELDS.iter().enumerate() {
                let texts = (name(earlier[field], field), name(later[field], field));
                if texts.0 != texts.1 {
                    let number = ran.run.number(ran.objects[object]);
                    true_changes.insert((number, (*label).to_owned()), texts);
                }
            }
        }
        for (place, texts) in &shown {
            prop_assert_eq!(true_changes.get(place), Some(texts), "{:?}", place);
        }
        // What the calls were given, and what they wrote, is shown with all that differs in it.
        let members = &works[first..=last];
        let there = before.len();
        let given = members.iter().flat_map(|work| [work.this, work.other]);
        let written = members.iter().flat_map(|work| &work.own).map(|write| write.object);
        let looked_at: BTreeSet<u64> = given
            .chain(written)
            .filter(|&object| object < there)
            .map(|object| ran.run.number(ran.objects[object]))
            .collect();
        for (place, texts) in &true_changes {
            if looked_at.contains(&place.0) {
                prop_assert_eq!(shown.get(place), Some(texts), "{:?}", place);
            }
        }
        // What came to be in between has a line of its own only if no line of something older shows it.
        let (made, older): (Vec<_>, Vec<_>) = (view.state.iter())
            .partition(|named| named.state.before.text == NOT_THERE);
        let mut shown_in_older = BTreeSet::new();
        for named in older {
            objects_shown(named.state.after.as_ref(), &mut shown_in_older);
        }
        for named in made {
            let number = named.state.after.as_ref().and_then(|after| after.id);
            prop_assert!(number.is_some_and(|it| !shown_in_older.contains(&it)), "{}", named.name);
        }
    }
}

/// The objects whose inside a value shows.
fn objects_shown(value: Option<&ValueView>, found: &mut BTreeSet<u64>) {
    let Some(value) = value else { return };
    if !value.children.is_empty() {
        found.extend(value.id);
    }
    for child in &value.children {
        objects_shown(Some(&child.value), found);
    }
}

/// Writes over the recorded events, in place because the file is mapped, and gives back what was there.
fn write_over(folder: &std::path::Path, content: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
    let mut folders = std::fs::read_dir(folder).unwrap();
    let jvm = folders.find_map(|entry| Some(entry.unwrap().path()).filter(|path| path.is_dir()));
    let chunks = jvm.unwrap().join("chunks");
    let before = std::fs::read(&chunks).unwrap();
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .open(&chunks)
        .unwrap();
    std::io::Write::write_all(&mut file, &content(&before)).unwrap();
    before
}

fn damaged(whole: &[u8]) -> Vec<u8> {
    let mut damaged = whole.to_vec();
    damaged[16..].fill(0xff);
    damaged
}

/// What happened to a variable is unknown if it cannot be read: neither was nothing written, nor did somebody outside.
#[test]
fn a_history_and_an_origin_that_cannot_be_read_say_so() {
    let sketched = java_model::sketches::till();
    let run = &sketched.run;
    let find = || crate::variable::find(run, run.program(), "this.coins[0]", Some(NodeId(2)), None);
    let history = |found: &crate::variable::FoundVariable| {
        let history = crate::history::history_page(run, run.program(), found, 0, 10);
        (history.writes.len(), history.note)
    };
    let options = crate::why::Options {
        control: false,
        steps: 20,
    };
    let why = || crate::why::why(run, run.program(), NodeId(2), "this.coins[0]", options);
    let found = find().unwrap();
    let whole = write_over(sketched.folder.path(), damaged);
    let unreadable = "1 write cannot be read: the trace is damaged there";
    assert_eq!(history(&found), (0, Some(unreadable.to_owned())));
    assert_eq!(find().unwrap_err().hint, "the trace is damaged there");
    assert!(why().is_err());
    write_over(sketched.folder.path(), |_| whole);
    assert_eq!(history(&found), (1, None));
    assert!(why().is_ok());
}

/// Content that is damaged after the run was opened is no reason to say that nothing was there, and is not remembered.
#[test]
fn what_cannot_be_read_says_so_until_it_can() {
    let sketched = java_model::sketches::till();
    let shown = || {
        let view = java_model::node_view::node_view(&sketched.run, NodeId(2), Bounds::default());
        debug_engine::view::render::one_line(&view, Bounds::default())
    };
    let whole = write_over(sketched.folder.path(), damaged);
    let unreadable = shown();
    assert!(unreadable.contains("→ unreadable ("), "{unreadable}");
    write_over(sketched.folder.path(), |_| whole);
    let expected = "Till#7.add(more=[5, 2]) → true; this.coins: [0, 0] → [5, 2]; Till.sales: 0 → 1";
    assert_eq!(shown(), expected);
}
