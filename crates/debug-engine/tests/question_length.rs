//! How much a question says: everything once, differences only, and no more than a screen of it.

use debug_engine::view::render::{
    Bounds, COLUMNS, Sheet, asked_briefly, asked_in_list, multi_line,
};
use debug_engine::view::{AskedView, NamedState, NodeView, OutcomeView, ValueView};
use debug_engine::{Judgement, NodeId};
use insta::assert_snapshot;
use proptest::prelude::*;

fn int(value: usize) -> ValueView {
    ValueView::primitive(value.to_string())
}

fn ints(id: u64, values: impl IntoIterator<Item = usize>) -> ValueView {
    ValueView::array("int[]", id, values.into_iter().map(int))
}

fn state(name: &str, before: ValueView, after: ValueView) -> NamedState {
    NamedState::compared(name.to_owned(), before, Some(after))
}

fn call(arguments: Vec<NamedState>, outcome: OutcomeView) -> NodeView {
    NodeView {
        node: NodeId(3),
        routine: "Shop.f".into(),
        class: "Shop".into(),
        method: "f".into(),
        declared_by: None,
        file: Some("Shop.java".into()),
        line: Some(9),
        this: None,
        arguments,
        outcome,
        statics: Vec::new(),
        elsewhere: Vec::new(),
        submitted: None,
        outlived: false,
        began_before_kept: false,
        unreadable: None,
        doc: None,
        guidance: None,
        judgement: Judgement::Undefined,
        judged_by: None,
    }
}

fn text(arguments: Vec<NamedState>, outcome: OutcomeView) -> String {
    multi_line(&call(arguments, outcome), Bounds::default())
}

fn node(id: u64, key: usize) -> ValueView {
    ValueView::object("Node", id).with_field("key", int(key))
}

/// What stands in a line above is not written again; what is another is.
#[test]
fn a_list_tells_of_an_object_only_what_is_new() {
    let order = |total: usize| {
        ValueView::object("Order", 7)
            .with_field("customer", ValueView::string("\"Ada\""))
            .with_field("total", int(total))
    };
    let same = |total| state("order", order(total), order(total));
    let given = |argument, result| AskedView::Call(Box::new(call(vec![argument], result)));
    let list = [
        given(same(5), OutcomeView::Returned(int(1))),
        given(same(5), OutcomeView::Returned(int(2))),
        given(state("order", order(5), order(6)), OutcomeView::Void),
        given(same(6), OutcomeView::Returned(order(6))),
        given(same(6), OutcomeView::Returned(node(8, 3))),
    ];
    let lines = asked_in_list(&list, Bounds::of_question());
    assert_snapshot!(lines.join("\n"), @r#"
    f(Order#7{customer="Ada", total=5}) → 1
    f(#7) → 2
    f(#7); order.total: 5 → 6
    f(#7{total=6}) → #7
    f(#7) → Node#8{key=3}
    "#);
}

/// Whoever wants to see more gets all of it.
#[test]
fn a_short_call_is_one_line_until_more_is_wanted() {
    let asked = AskedView::Call(Box::new(NodeView {
        doc: Some("Adds one.".into()),
        ..call(
            vec![state("n", int(1), int(1))],
            OutcomeView::Returned(int(2)),
        )
    }));
    let bounds = Bounds::of_question();
    let brief = asked_briefly(&asked, bounds);
    let expected = "#3 Shop.f(n=1) → 2 (line 9)\n  Adds one.";
    assert_eq!(brief.as_deref(), Some(expected));
    let wider = Bounds {
        length: bounds.length + 1,
        ..bounds
    };
    assert_eq!(asked_briefly(&asked, wider), None);
    let open = call(Vec::new(), OutcomeView::Open);
    assert_eq!(
        asked_briefly(&AskedView::Call(Box::new(open)), bounds),
        None
    );
}

#[test]
fn a_long_sequence_is_told_by_what_is_special_in_it() {
    let grown = state("list", ints(1, 0..4000), ints(1, 0..4001));
    let shrunk = state("queue", ints(2, 0..20), ints(2, 1..20));
    let swapped = (0..20).map(|it| if (5..10).contains(&it) { 14 - it } else { it });
    let swapped = state("heap", ints(3, 0..20), ints(3, swapped));
    assert_snapshot!(text(vec![grown, shrunk, swapped], OutcomeView::Void), @r"
    #3 Shop.f (Shop.java:9)
      list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …+3988]
      queue = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …+8]
      heap = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, …+8]
      list: 4,000 elements → 4,001 elements with [4000]=4000
      queue: 20 elements with [0]=0 → 19 elements
      heap[5]: 5 → 9
      heap[6]: 6 → 8
      heap[8]: 8 → 6
      heap[9]: 9 → 5
    ");
}

#[test]
fn a_difference_inside_a_long_text_is_marked() {
    let line = |word: &str| {
        let text = format!("\"{}the {word} fox{}\"", "a ".repeat(30), " b".repeat(2000));
        ValueView::object("StringBuilder", 1).with_field("text", ValueView::string(text))
    };
    let written = text(
        vec![state("out", line("quick"), line("lazy"))],
        OutcomeView::Void,
    );
    let last = written.lines().last().unwrap();
    assert_eq!(
        last.trim(),
        r#"out.text: "… 52 more …a a a a the ⟦quick⟧ fox b b b b… 3,992 more …" → "… 52 more …a a a a the ⟦lazy⟧ fox b b b b… 3,992 more …""#
    );
}

#[test]
fn what_was_written_out_is_named_afterwards() {
    let holder = |left: ValueView| {
        ValueView::object("Tree", 1)
            .with_field("name", ValueView::string("\"t\""))
            .with_field("left", left)
    };
    let shown = text(
        vec![
            state("tree", holder(node(2, 5)), holder(node(3, 6))),
            state("old", node(2, 5), node(2, 5)),
        ],
        OutcomeView::Returned(node(2, 5)),
    );
    assert_snapshot!(shown, @r#"
    #3 Shop.f (Shop.java:9)
      tree = Tree#1{name="t", left=Node#2{key=5}}
      old = Node#2
      → Node#2
      tree.left: Node#2 → Node#3{key=6}
    "#);
}

#[test]
fn an_object_that_is_another_at_the_end_is_written_out_again() {
    let holder = |left: ValueView| ValueView::object("Tree", 1).with_field("root", left);
    let above = ValueView::object("Node", 3)
        .with_field("key", int(9))
        .with_field("left", node(2, 7));
    let shown = text(
        vec![state("tree", holder(node(2, 5)), holder(above))],
        OutcomeView::Void,
    );
    assert_snapshot!(shown, @r"
    #3 Shop.f (Shop.java:9)
      tree = Tree#1{root=Node#2{key=5}}
      tree.root: Node#2 → Node#3{key=9, left=Node#2{key=7}}
    ");
}

#[test]
fn elements_of_a_grown_list_are_compared_too() {
    let list = |nodes: Vec<ValueView>| ValueView::array("ArrayList", 1, nodes);
    let (then, now) = (list(vec![node(2, 5)]), list(vec![node(3, 1), node(2, 6)]));
    assert_snapshot!(text(vec![state("list", then, now)], OutcomeView::Void), @r"
    #3 Shop.f (Shop.java:9)
      list = [Node#2{key=5}]
      list: [Node#2] → [Node#3{key=1}, Node#2{key=6}]
      list[1].key: 5 → 6
    ");
}

#[test]
fn what_was_expected_stands_beside_what_came() {
    let mut total = int(39_000);
    total.expected = Some("39500".to_owned());
    let mut view = call(Vec::new(), OutcomeView::Returned(total));
    view.doc = Some("Sums up the order.".to_owned());
    view.guidance = Some("Should it have been called like this? i if not.".to_owned());
    assert_snapshot!(multi_line(&view, Bounds::default()), @r"
    #3 Shop.f (Shop.java:9)
      Sums up the order.
      → 39000 (expected 39500)
      Should it have been called like this? i if not.
    ");
}

#[test]
fn a_short_array_is_never_cut_to_something_longer() {
    let wide = ValueView::object("Table", 1)
        .with_field(
            "first",
            ValueView::string(format!("\"{}\"", "x".repeat(50))),
        )
        .with_field("counts", ints(2, [4, 1, 0, 0]));
    let mut shown = 0;
    for length in 60..140 {
        let bounds = Bounds {
            length,
            ..Bounds::default()
        };
        let text = debug_engine::view::render::value(&wide, bounds);
        shown += usize::from(text.contains("counts=[4, 1, 0, 0]"));
        let is_left_out = !text.contains("counts");
        assert!(
            is_left_out || text.contains("counts=[4, 1, 0, 0]"),
            "{text}"
        );
    }
    assert!(shown > 20);
}

/// Values of any shape, some of them with the same number.
fn value() -> impl Strategy<Value = ValueView> {
    let leaf = prop_oneof![
        (0usize..100_000).prop_map(int),
        "[a-z ]{0,300}".prop_map(|text| ValueView::string(format!("\"{text}\""))),
        Just(ValueView::null()),
    ];
    leaf.prop_recursive(4, 120, 20, |inner| {
        let named = ("[a-z]{1,60}", inner.clone());
        prop_oneof![
            (1u64..9, prop::collection::vec(inner, 0..20))
                .prop_map(|(id, values)| ValueView::array("Object[]", id, values)),
            (1u64..9, prop::collection::vec(named, 0..20)).prop_map(|(id, fields)| {
                let object = ValueView::object("some.long.name.of.a.Thing", id);
                fields.into_iter().fold(object, |object, (name, value)| {
                    object.with_field(name, value)
                })
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_question_is_longer_than_a_screen(
        states in prop::collection::vec(("[a-z]{1,30}", value(), value()), 0..20),
        returned in value(),
        doc in "[a-z ]{0,400}",
    ) {
        let states = states.into_iter().map(|(name, before, after)| state(&name, before, after));
        let mut view = call(states.collect(), OutcomeView::Returned(returned));
        view.doc = Some(doc);
        let sheet = Sheet::of_call(&view, Bounds::default());
        let rows = |line: &str| line.chars().count().div_ceil(COLUMNS).max(1);
        let lines: usize = sheet.to_string().lines().map(rows).sum();
        prop_assert!(lines <= 24, "{lines} lines:\n{sheet}");
        let shown = sheet.given.len() as u64 + sheet.given_left_out;
        prop_assert_eq!(shown, view.arguments.len() as u64);
    }
}

/// A line that is looked over has as much as it takes to judge the call, if that is not too much.
#[test]
fn a_line_of_a_list_is_longer_where_something_would_be_missed() {
    let item = |id, name: &str| {
        ValueView::object("Item", id)
            .with_field("name", ValueView::string(format!("\"{name}\"")))
            .with_field("quantity", int(7))
            .with_field("price", int(12))
    };
    let list = |items: Vec<ValueView>| ValueView::array("Item[]", 1, items);
    let added = call(
        vec![state(
            "stock",
            list(vec![item(2, "milk")]),
            list(vec![item(2, "milk"), item(3, "bread"), item(4, "butter")]),
        )],
        OutcomeView::Void,
    );
    let line = |call: &NodeView| {
        asked_in_list(
            &[AskedView::Call(Box::new(call.clone()))],
            Bounds::of_question(),
        )
        .concat()
    };
    assert_snapshot!(
        line(&added),
        @r#"f([Item#2{name="milk", quantity=7, price=12}]); stock: [#2] → [#2, Item#3{name="bread", quantity=7, price=12}, Item#4{name="butter", …+2}]"#
    );
    let many = list((2..30).map(|id| item(id, "something long")).collect());
    let many = call(
        vec![state("stock", list(Vec::new()), many)],
        OutcomeView::Void,
    );
    assert!(line(&many).chars().count() < 160, "{}", line(&many));
}
