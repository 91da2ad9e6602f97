//! Commands of the Java Debug Wire Protocol about a recorded run, without a socket.
//!
//! An input is one command after the other: its set, its number, how many bytes of data it has, and these. They are
//! packed as the protocol wants it, so that a changed byte is another command and not the end of the conversation;
//! where the last one is cut short, so is its packet. Every command that is whole must get one answer with its number,
//! in order, until one of them lets the run go on to its end or says goodbye.

use std::sync::LazyLock;

use anyhow::{Context, Result};
use java_model::run::JavaRun;

use crate::recorded;

pub(super) const WORDS: &[&[u8]] = &[
    // Resume, and all that there is.
    &[1, 9, 0],
    &[1, 3, 0],
    &[1, 4, 0],
    // How things are numbered: threads, types and objects.
    &[0, 0, 0, 3, 0, 0, 0, 0],
    &[0, 0, 0, 1, 0, 0, 0, 1],
    &[0, 0, 0, 6, 0, 0, 0, 1],
    &[255, 255, 255, 255],
];
const HANDSHAKE: &[u8] = b"JDWP-Handshake";
/// More commands than these are another input.
const MOST_COMMANDS: usize = 24;
/// Leaving, by dispose and by exit.
const LAST_WORDS: [(u8, u8); 2] = [(1, 6), (1, 10)];
/// Commands that let the run go on, maybe to its end.
const RESUMING: [(u8, u8); 2] = [(1, 9), (11, 3)];

static RUN: LazyLock<JavaRun> = LazyLock::new(|| match open() {
    Ok(run) => run,
    Err(error) => panic!("there is nothing to look at: {error:#}"),
});

/// A short run: a conversation may walk through all of it.
fn open() -> Result<JavaRun> {
    let traces = recorded::traces()?;
    let trace = traces.first().context("nothing is recorded")?;
    Ok(JavaRun::open(trace, None, &mut |_, _| {})?)
}

pub(super) fn run(bytes: &[u8]) {
    let (commands, rest) = split(bytes);
    let mut input = HANDSHAKE.to_vec();
    for (id, (set, command, data)) in (1..).zip(&commands) {
        input.extend(packet(id, *set, *command, data.len(), data));
    }
    if let [set, command, length, data @ ..] = rest {
        input.extend(packet(0, *set, *command, usize::from(*length), data));
    }
    let mut output = Vec::new();
    if let Err(error) = askance_jdwp::serve(&RUN, input.as_slice(), &mut output) {
        panic!("the conversation broke off: {error}");
    }
    let replied = replies(&output);
    let expected: Vec<u32> = (1..).take(replied.len()).collect();
    assert_eq!(replied, expected, "the numbers of the answers");
    if replied.len() < commands.len() {
        let last = replied.len().checked_sub(1).map(|last| &commands[last]);
        let is_end = last.is_some_and(|(set, command, _)| {
            LAST_WORDS.contains(&(*set, *command)) || RESUMING.contains(&(*set, *command))
        });
        assert!(is_end, "nothing is answered after {last:?}");
    }
}

/// Its set, its number and its data.
type Command<'input> = (u8, u8, &'input [u8]);

/// The commands that are whole, and one that is cut short.
fn split(bytes: &[u8]) -> (Vec<Command<'_>>, &[u8]) {
    let (mut commands, mut rest) = (Vec::new(), bytes);
    while let [set, command, length, behind @ ..] = rest
        && commands.len() < MOST_COMMANDS
        && let Some((data, behind)) = behind.split_at_checked(usize::from(*length))
    {
        commands.push((*set, *command, data));
        rest = behind;
    }
    let is_over = commands.len() == MOST_COMMANDS;
    (commands, if is_over { &[] } else { rest })
}

/// A packet that claims to have so many bytes of data.
fn packet(id: u32, set: u8, command: u8, length: usize, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(11 + length).unwrap_or(u32::MAX);
    let mut bytes = length.to_be_bytes().to_vec();
    bytes.extend(id.to_be_bytes());
    bytes.extend([0, set, command]);
    bytes.extend(data);
    bytes
}

/// The numbers of the replies, in order; events are passed over.
fn replies(output: &[u8]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut rest = output.strip_prefix(HANDSHAKE).unwrap_or_default();
    while let [a, b, c, d, e, f, g, h, flags, ..] = *rest {
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        assert!(
            (11..=rest.len()).contains(&length),
            "a packet of {length} bytes"
        );
        if flags & 0x80 != 0 {
            found.push(u32::from_be_bytes([e, f, g, h]));
        }
        rest = &rest[length..];
    }
    assert!(rest.is_empty(), "half a packet");
    found
}

/// A command as inputs have it.
fn said(set: u8, command: u8, data: &[u8]) -> Vec<u8> {
    let length = u8::try_from(data.len()).unwrap_or(u8::MAX);
    let mut bytes = vec![set, command, length];
    bytes.extend(&data[..usize::from(length)]);
    bytes
}

/// Conversations as debuggers hold them.
pub(super) fn seeds() -> Result<Vec<Vec<u8>>> {
    let thread = [0, 0, 0, 3, 0, 0, 0, 0];
    let class = |place: u8| [0, 0, 0, 1, 0, 0, 0, place];
    let beginning = [
        said(1, 1, &[]),
        said(1, 7, &[]),
        said(1, 17, &[]),
        said(1, 3, &[]),
        said(1, 4, &[]),
    ];
    let stack = |visit: u8| {
        let frame = [0, 0, 0, 0, visit, 0, 0, 0];
        [
            said(11, 7, &thread),
            said(
                11,
                6,
                &[&thread[..], &[0, 0, 0, 0, 255, 255, 255, 255]].concat(),
            ),
            said(16, 3, &[&thread[..], &frame].concat()),
            said(
                16,
                1,
                &[&thread[..], &frame, &[0, 0, 0, 1, 0, 0, 0, 0, b'L']].concat(),
            ),
        ]
        .concat()
    };
    let step = |id: u8, depth: u8| {
        let wanted = [
            &[1, 2, 0, 0, 0, 1, 10][..],
            &thread,
            &[0, 0, 0, 1, 0, 0, 0, depth],
        ];
        let done = said(15, 2, &[1, 0, 0, 0, id]);
        [said(15, 1, &wanted.concat()), said(1, 9, &[]), done].concat()
    };
    let classes = (0..5).map(|place| {
        let of_class = [1, 3, 5, 7, 9, 10, 13, 14, 15, 16];
        let commands = of_class.map(|command| said(2, command, &class(place)));
        commands.concat()
    });
    // Hear of every method that is entered, and of every exception.
    let entries = said(15, 1, &[40, 2, 0, 0, 0, 0]);
    let thrown = [&[4, 2, 0, 0, 0, 1, 8][..], &[0; 8], &[1, 1]];
    let thrown = said(15, 1, &thrown.concat());
    let go = said(1, 9, &[]);
    let popped = said(16, 4, &[&thread[..], &[0, 0, 0, 0, 3, 0, 0, 0]].concat());
    let beginning = beginning.concat();
    let mut talks: Vec<Vec<u8>> = classes.collect();
    talks.extend([
        [
            beginning.clone(),
            entries.clone(),
            go.clone(),
            stack(1),
            go.clone(),
            stack(2),
        ]
        .concat(),
        [
            entries.clone(),
            go.clone(),
            said(15, 2, &[40, 0, 0, 0, 1]),
            step(2, 0),
            stack(2),
            step(3, 0),
            popped,
            stack(4),
            step(4, 2),
        ]
        .concat(),
        beginning,
        [thrown, go.clone(), stack(1), go].concat(),
    ]);
    Ok(talks)
}
