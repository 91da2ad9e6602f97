//! Whatever comes over the wire, everything is answered and nothing breaks.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::OnceLock;
use std::time::Duration;

use java_model::run::JavaRun;
use proptest::collection::vec;
use proptest::prelude::*;
use tempfile::TempDir;
use test_support::{Example, ExampleVersion, Jdk};

/// A recorded run. The folder lives as long as this.
struct Recorded {
    run: JavaRun,
    _folder: TempDir,
}

fn recorded() -> &'static Recorded {
    static RECORDED: OnceLock<Recorded> = OnceLock::new();
    RECORDED.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let library = test_support::recorder_library();
        let agent = format!(
            "-agentpath:{}=out={},",
            library.display(),
            folder.path().display()
        );
        let example = Example::named("bank").unwrap();
        let classes = example.compile(ExampleVersion::Buggy).unwrap();
        let run = classes.run(&Jdk::default()).jvm_arg(agent);
        run.time_limit(Duration::from_secs(60)).run().unwrap();
        let run = JavaRun::open(folder.path(), None, &mut |_, _| {}).unwrap();
        Recorded {
            run,
            _folder: folder,
        }
    })
}

/// A command with its header.
fn packet(id: u32, set: u8, command: u8, data: &[u8]) -> Vec<u8> {
    let mut bytes = u32::try_from(11 + data.len())
        .unwrap()
        .to_be_bytes()
        .to_vec();
    bytes.extend(id.to_be_bytes());
    bytes.extend([0, set, command]);
    bytes.extend(data);
    bytes
}

/// A string as packets have it.
fn text(text: &str) -> Vec<u8> {
    let length = u32::try_from(text.len()).unwrap().to_be_bytes();
    [&length[..], text.as_bytes()].concat()
}

/// The packets of an answer: whether each is a reply, and its number and error or what it is.
fn packets(mut bytes: &[u8]) -> Vec<(bool, u32, u16)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let length = u32::from_be_bytes(bytes[..4].try_into().unwrap()) as usize;
        let id = u32::from_be_bytes(bytes[4..8].try_into().unwrap());
        let error = u16::from_be_bytes(bytes[9..11].try_into().unwrap());
        found.push((bytes[8] == 0x80, id, error));
        bytes = &bytes[length..];
    }
    found
}

/// Sends commands and gives what came back behind the handshake.
fn answered(commands: &[Vec<u8>]) -> Vec<u8> {
    let mut input = b"JDWP-Handshake".to_vec();
    input.extend(commands.concat());
    let mut output = Vec::new();
    askance_jdwp::serve(&recorded().run, input.as_slice(), &mut output).unwrap();
    output.split_off(b"JDWP-Handshake".len())
}

fn converse(commands: &[Vec<u8>]) -> Vec<(bool, u32, u16)> {
    packets(&answered(commands))
}

/// Data that is likely to be understood for a while: numbers of things that are there, small ones, and any.
fn data() -> impl Strategy<Value = Vec<u8>> {
    let thing = (0_u64..9, 0_u32..40)
        .prop_map(|(kind, number)| (kind << 32 | u64::from(number)).to_be_bytes().to_vec());
    let frame = (0_u64..6, 0_u64..4)
        .prop_map(|(visit, frame)| (visit << 24 | frame).to_be_bytes().to_vec());
    let small = (0_u32..12).prop_map(|number| number.to_be_bytes().to_vec());
    let long = (0_u64..60).prop_map(|number| number.to_be_bytes().to_vec());
    let byte = (0_u8..14).prop_map(|byte| vec![byte]);
    let any = vec(any::<u8>(), 0..12);
    let part = prop_oneof![4 => thing, 2 => frame, 3 => small, 2 => long, 4 => byte, 1 => any];
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

fn command() -> impl Strategy<Value = (u8, u8, Vec<u8>)> {
    let set = prop_oneof![10 => 1_u8..19, 1 => any::<u8>()];
    let number = prop_oneof![10 => 1_u8..21, 1 => any::<u8>()];
    (set, number, data())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Every command gets one answer, in order, until somebody leaves or the run is over.
    #[test]
    fn every_command_is_answered(commands in vec(command(), 1..40)) {
        let sent: Vec<Vec<u8>> = (1..)
            .zip(&commands)
            .map(|(id, (set, command, data))| packet(id, *set, *command, data))
            .collect();
        let replies = converse(&sent);
        let replies: Vec<u32> = replies.iter().filter(|it| it.0).map(|it| it.1).collect();
        let expected: Vec<u32> = (1..).take(replies.len()).collect();
        prop_assert_eq!(&replies, &expected);
        if replies.len() < commands.len() {
            // The last that was answered let the run go on to its end, or said goodbye.
            let (set, command, _) = &commands[replies.len().saturating_sub(1)];
            let ends = matches!((set, command), (1, 6 | 9 | 10) | (11, 3));
            prop_assert!(ends, "{set} {command}");
        }
    }

    /// What is cut short, or no packet at all, ends the conversation and nothing else.
    #[test]
    fn a_stream_may_end_anywhere(commands in vec(command(), 1..6), end in 0.0..1.0_f64, noise: bool) {
        let mut input = b"JDWP-Handshake".to_vec();
        for (set, command, data) in &commands {
            input.extend(packet(1, *set, *command, data));
        }
        let end = (input.len() as f64 * end) as usize;
        input.truncate(end);
        if noise {
            input.extend([0xFF; 40]);
        }
        let mut output = Vec::new();
        // Whether it is an error does not matter.
        let _ = askance_jdwp::serve(&recorded().run, input.as_slice(), &mut output);
    }
}

#[test]
fn what_a_recording_cannot_do_is_refused() {
    const NOT_IMPLEMENTED: u16 = 99;
    let main = (3_u64 << 32).to_be_bytes();
    // Redefining classes, setting statics, calling, new objects, setting elements, stopping a thread, setting locals.
    let wanted = [(1, 18), (3, 2), (3, 3), (3, 4), (4, 1), (5, 1), (11, 10)];
    for (set, command) in wanted {
        let replies = converse(&[packet(1, set, command, &main)]);
        assert_eq!(replies[1], (true, 1, NOT_IMPLEMENTED), "{set} {command}");
    }
    // Whoever asks for what there is not gets the error for that.
    let nobody = (3_u64 << 32 | 77).to_be_bytes();
    assert_eq!(converse(&[packet(1, 11, 1, &nobody)])[1], (true, 1, 10));
    assert_eq!(converse(&[packet(1, 2, 1, &nobody)])[1], (true, 1, 21));
    assert_eq!(converse(&[packet(1, 9, 1, &[0; 8])])[1], (true, 1, 20));
}

#[test]
fn events_that_are_refused_are_not_promised() {
    const NOT_IMPLEMENTED: u16 = 99;
    let found = answered(&[packet(1, 1, 17, &[])]);
    let capabilities = &found[found.len() - 32..];
    // Reads of fields, and monitors, by their places among the capabilities.
    for (place, kind) in [(1, 20), (16, 43), (16, 44), (16, 45), (16, 46)] {
        assert_eq!(capabilities[place], 0, "{kind}");
        let wanted = packet(1, 15, 1, &[kind, 2, 0, 0, 0, 0]);
        assert_eq!(converse(&[wanted])[1], (true, 1, NOT_IMPLEMENTED), "{kind}");
    }
    let writes_of_fields = 0;
    assert_eq!(capabilities[writes_of_fields], 1);
}

/// The kinds of the events that were sent behind the first, which is the beginning.
fn events(commands: &[Vec<u8>]) -> Vec<u8> {
    let answered = answered(commands);
    let (mut rest, mut kinds) = (answered.as_slice(), Vec::new());
    while !rest.is_empty() {
        let length = u32::from_be_bytes(rest[..4].try_into().unwrap()) as usize;
        if rest[8] == 0 {
            // Behind the header are the policy and how many events there are.
            kinds.push(rest[16]);
        }
        rest = &rest[length..];
    }
    kinds.split_off(1)
}

#[test]
fn a_class_is_loaded_or_prepared_but_not_both() {
    const PREPARED: u8 = 8;
    const DEATH: u8 = 99;
    let wanted = [vec![PREPARED, 0, 0, 0, 0, 1, 5], text("Account")].concat();
    let prepared = packet(1, 15, 1, &wanted);
    let resume = packet(3, 1, 9, &[]);
    assert_eq!(
        events(&[prepared.clone(), resume.clone()]),
        [PREPARED, DEATH]
    );
    let all_classes = packet(2, 1, 3, &[]);
    let by_signature = packet(2, 1, 2, &text("LAccount;"));
    for list in [all_classes, by_signature] {
        let before = [list.clone(), prepared.clone(), resume.clone()];
        assert_eq!(events(&before), [DEATH]);
        let after = [prepared.clone(), list, resume.clone()];
        assert_eq!(events(&after), [DEATH]);
    }
}

/// Eclipse asks for it by its signature when it shows the field.
#[test]
fn the_declared_type_of_a_field_is_there() {
    let of_bank = packet(1, 1, 2, &text("LBank;"));
    let found = answered(std::slice::from_ref(&of_bank));
    // At the end are its kind, its number and its state.
    let bank = found[found.len() - 12..found.len() - 4].to_vec();
    let fields = packet(2, 2, 4, &bank);
    let of_map = packet(3, 1, 2, &text("Ljava/util/Map;"));
    let found = answered(&[of_bank, fields, of_map]);
    let count = &found[found.len() - 17..found.len() - 13];
    assert_eq!(count, 1_u32.to_be_bytes());
}
