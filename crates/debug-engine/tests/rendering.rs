//! Calls as a person reads them.

use debug_engine::view::render::{Bounds, mark_changes, multi_line, one_line, value};
use debug_engine::view::{Changed, NamedState, NodeView, OutcomeView, StateView, ValueView};
use debug_engine::{Judgement, NodeId};
use insta::assert_snapshot;

fn int(value: i64) -> ValueView {
    ValueView::primitive(value.to_string())
}

fn ints(id: u64, values: &[i64]) -> ValueView {
    ValueView::array("int[]", id, values.iter().map(|&value| int(value)))
}

fn unchanged(name: &str, value: ValueView) -> NamedState {
    NamedState {
        name: name.into(),
        state: StateView {
            after: Some(value.clone()),
            before: value,
        },
    }
}

fn changed(name: &str, before: ValueView, after: ValueView) -> NamedState {
    NamedState {
        name: name.into(),
        state: StateView {
            before,
            after: Some(after),
        },
    }
}

fn node(class: &str, method: &str, arguments: Vec<NamedState>, outcome: OutcomeView) -> NodeView {
    NodeView {
        node: NodeId(17),
        routine: format!("{class}.{method}"),
        class: class.into(),
        method: method.into(),
        declared_by: None,
        file: Some(format!(
            "{}.java",
            class.rsplit('.').next().unwrap_or(class)
        )),
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

fn merge() -> NodeView {
    let arguments = vec![
        unchanged("a", ints(1, &[4, 9])),
        unchanged("b", ints(2, &[1, 7])),
        changed("c", ints(3, &[0, 0, 0, 0]), ints(3, &[1, 4, 9, 7])),
    ];
    node("MergeSort", "merge", arguments, OutcomeView::Void)
}

fn account(balance: i64) -> ValueView {
    ValueView::object("bank.Account", 12)
        .with_field("owner", ValueView::string("\"Ada\""))
        .with_field("balance", int(balance))
}

fn withdraw() -> NodeView {
    let mut view = node(
        "bank.Account",
        "withdraw",
        vec![unchanged("amount", int(50))],
        OutcomeView::Returned(int(3)),
    );
    view.this = Some(StateView {
        before: account(100),
        after: Some(account(50)),
    });
    view
}

#[test]
fn an_array_that_was_written_to() {
    assert_snapshot!(
        one_line(&merge(), Bounds::default()),
        @"merge(a=[4, 9], b=[1, 7], c=[0, 0, 0, 0]) → void; c: [0, 0, 0, 0] → [1, 4, 9, 7]"
    );
}

#[test]
fn few_changes_of_a_long_array_are_told_one_by_one() {
    let change = |indices: &[usize]| {
        let before = [0; 20];
        let mut after = before;
        indices.iter().for_each(|&index| after[index] = 1);
        let array = changed("a", ints(1, &before), ints(1, &after));
        let view = node("A", "f", vec![array], OutcomeView::Void);
        let changes = debug_engine::view::render::changes(&view);
        changes
            .into_iter()
            .map(|change| change.path)
            .collect::<Vec<_>>()
    };
    assert_eq!(change(&[3, 19]), ["a[3]", "a[19]"]);
    assert_eq!(change(&[1, 2, 3, 4, 5]), ["a"]);
    // Where they would not be seen in the whole.
    assert_eq!(change(&[13, 14, 15, 16, 17]).len(), 5);
}

#[test]
fn a_field_of_the_receiver() {
    assert_snapshot!(
        one_line(&withdraw(), Bounds::default()),
        @"Account#12.withdraw(amount=50) → 3; this.balance: 100 → 50"
    );
}

#[test]
fn an_exception() {
    let mut thrown = ValueView::object("java.lang.IllegalStateException", 4);
    thrown.text = "\"empty\"".into();
    let view = node(
        "Stack",
        "pop",
        Vec::new(),
        OutcomeView::Thrown(thrown.clone()),
    );
    assert_snapshot!(
        one_line(&view, Bounds::default()),
        @r#"pop() → throws java.lang.IllegalStateException("empty")"#
    );
    thrown.text.clear();
    let view = node("Stack", "pop", Vec::new(), OutcomeView::Thrown(thrown));
    assert_snapshot!(
        one_line(&view, Bounds::default()),
        @"pop() → throws java.lang.IllegalStateException"
    );
}

#[test]
fn a_call_that_has_not_ended() {
    let mut view = node("Main", "spin", vec![], OutcomeView::Open);
    view.arguments = vec![NamedState {
        name: "x".into(),
        state: StateView {
            before: int(1),
            after: None,
        },
    }];
    assert_snapshot!(one_line(&view, Bounds::default()), @"spin(x=1) → not ended");
}

#[test]
fn several_lines() {
    assert_snapshot!(multi_line(&withdraw(), Bounds::default()), @r#"
    #17 bank.Account.withdraw (Account.java:9)
      this = Account#12{owner="Ada", balance=100}
      amount = 50
      → 3
      this.balance: 100 → 50
    "#);
    let quiet = node(
        "Main",
        "area",
        vec![unchanged("r", int(2))],
        OutcomeView::Returned(int(12)),
    );
    assert_snapshot!(multi_line(&quiet, Bounds::default()), @r"
    #17 Main.area (Main.java:9)
      r = 2
      → 12
    ");
}

#[test]
fn a_cycle_is_a_reference_upwards() {
    let back = ValueView::object("list.Node", 7);
    let second = ValueView::object("list.Node", 8).with_field("next", back);
    let first = ValueView::object("list.Node", 7).with_field("next", second);
    assert_snapshot!(value(&first, Bounds::default()), @"Node#7{next=Node#8{next=↑Node#7}}");
}

#[test]
fn a_shared_object_is_written_out_once() {
    let arguments = vec![
        unchanged("from", account(5)),
        unchanged("to", account(5)),
        unchanged("a", ints(3, &[1])),
        unchanged("b", ints(3, &[1])),
    ];
    let view = node("Bank", "move", arguments, OutcomeView::Void);
    assert_snapshot!(
        one_line(&view, Bounds::default()),
        @r#"move(from=Account#12{owner="Ada", balance=5}, to=Account#12, a=int[]#3[1], b=int[]#3) → void"#
    );
}

#[test]
fn what_is_left_out_is_counted() {
    let bounds = Bounds {
        width: 3,
        depth: 1,
        string: 5,
        length: 100,
        changes: 1,
        ..Bounds::default()
    };
    let mut long = ints(1, &[1, 2, 3, 4, 5]);
    long.truncated = 10;
    assert_snapshot!(value(&long, bounds), @"[1, 2, 3, …+12]");
    let nested = ValueView::array("int[][]", 2, [ints(3, &[1, 2]), ints(4, &[])]);
    assert_snapshot!(value(&nested, bounds), @"[[…], []]");
    assert_snapshot!(value(&ValueView::string("\"äöüäöü\""), bounds), @r#""äöüäöü""#);
    let longer = ValueView::string(format!("\"{}\"", "ä".repeat(30)));
    assert_snapshot!(value(&longer, bounds), @r#""ääää"…+26"#);
    let two = node(
        "Main",
        "f",
        vec![
            changed("a", ints(1, &[0]), ints(1, &[1])),
            changed("b", ints(2, &[0]), ints(2, &[2])),
        ],
        OutcomeView::Void,
    );
    assert_snapshot!(one_line(&two, bounds), @"f(a=[0], b=[0]) → void; a: [0] → [1]; …+1");
}

#[test]
fn changes_deep_inside_name_the_whole_path() {
    let tree = |key: i64| {
        ValueView::object("Tree", 1).with_field(
            "kids",
            ValueView::array(
                "Tree[]",
                2,
                [ValueView::object("Tree", 3).with_field("key", int(key))],
            ),
        )
    };
    let mut view = node(
        "Tree",
        "insert",
        vec![changed("t", tree(1), tree(2))],
        OutcomeView::Void,
    );
    view.statics = vec![changed("Tree.count", int(4), int(5))];
    assert_snapshot!(
        one_line(&view, Bounds::default()),
        @"insert(t=Tree#1{kids=[Tree#3{key=1}]}) → void; t.kids[0].key: 1 → 2; Tree.count: 4 → 5"
    );
    let (mut before, mut after) = (tree(1), tree(2));
    assert_eq!(mark_changes(&mut before, &mut after), Changed::Inside);
    let key = &after.children[0].value.children[0].value.children[0].value;
    assert_eq!(key.changed, Changed::Changed);
}

#[test]
fn a_view_is_json() {
    let (mut before, mut after) = (account(100), account(50));
    mark_changes(&mut before, &mut after);
    assert_snapshot!(
        serde_json::to_string(&after).unwrap(),
        @r#"{"text":"","kind":"object","id":12,"class":"bank.Account","children":[{"label":{"field":"owner"},"value":{"text":"\"Ada\"","kind":"string"}},{"label":{"field":"balance"},"value":{"text":"50","kind":"primitive","changed":"changed"}}],"changed":"inside"}"#
    );
}

/// An order with a customer, a log that nobody looked at, and positions.
fn order(total: i64) -> ValueView {
    let customer = ValueView::object("shop.Customer", 2)
        .with_field("name", ValueView::string("\"Ada\""))
        .with_field("street", ValueView::string("\"12 Analytical Road\""));
    let log = ValueView::object("shop.Log", 3).with_field(
        "lines",
        ValueView::array("String[]", 4, vec![ValueView::string("\"started\""); 9]),
    );
    let mut order = ValueView::object("shop.Order", 1)
        .with_field("log", log)
        .with_field("customer", customer)
        .with_field("positions", ints(5, &[3, 4, 5]))
        .with_field("total", int(total));
    order.children[2].used = true;
    order
}

fn within(length: usize) -> Bounds {
    Bounds {
        length,
        ..Bounds::default()
    }
}

#[test]
fn what_a_call_used_comes_before_what_it_did_not() {
    assert_snapshot!(value(&order(7), within(1000)), @r#"Order#1{log=Log#3{lines=["started", "started", "started", "started", "started", "started", "started", "started", "started"]}, customer=Customer#2{name="Ada", street="12 Analytical Road"}, positions=[3, 4, 5], total=7}"#);
    assert_snapshot!(value(&order(7), within(90)), @"Order#1{positions=[3, 4, 5], …+3}");
    assert_snapshot!(value(&order(7), within(40)), @"Order#1{positions=[3, 4, 5], …+3}");
    assert_snapshot!(value(&order(7), within(1)), @"Order#1{positions=[3, 4, 5], …+3}");
}

#[test]
fn what_a_call_changed_comes_first() {
    let (mut before, mut after) = (order(7), order(8));
    mark_changes(&mut before, &mut after);
    assert_snapshot!(value(&after, within(25)), @"Order#1{total=8, …+3}");
}

#[test]
fn no_value_is_longer_than_its_bound_by_more_than_one_part() {
    for length in 0..300 {
        let text = value(&order(7), within(length));
        assert!(text.chars().count() <= length + 40, "{length}: {text}");
    }
}

fn item(id: u64, name: &str, quantity: i64) -> ValueView {
    let mut item = ValueView::object("shop.Item", id)
        .with_field("name", ValueView::string(format!("\"{name}\"")))
        .with_field("quantity", int(quantity))
        .with_field("sold", ValueView::primitive("false"));
    item.is_record = true;
    item
}

#[test]
fn a_record_is_written_as_it_was_made() {
    assert_snapshot!(value(&item(3, "milk", 2), within(90)), @r#"Item#3("milk", 2, sold=false)"#);
    // All of it where there is room, also if only some of it was used.
    let mut used = item(3, "milk", 2);
    used.children[1].used = true;
    let list = ValueView::array("Item[]", 9, [used, item(4, "bread", 7)]);
    assert_snapshot!(value(&list, within(90)), @r#"[Item#3("milk", 2, sold=false), Item#4("bread", 7, sold=false)]"#);
    assert_snapshot!(value(&list, within(40)), @"[Item#3{quantity=2, …+2}, Item#4{…}]");
    // Of one with many parts nobody knows which is which.
    let many = (0..6).fold(item(3, "milk", 2), |item, part| {
        item.with_field(format!("part{part}"), int(part))
    });
    assert_snapshot!(value(&many, within(200)), @r#"Item#3{name="milk", quantity=2, sold=false, part0=0, part1=1, part2=2, part3=3, part4=4, part5=5}"#);
}
