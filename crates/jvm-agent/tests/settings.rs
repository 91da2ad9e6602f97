//! The settings that the recorder makes in the JVM are there on every Java version, and those that the user made stay.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use crate::common::{java_source, jdks, record};

use test_support::{Fixture, Jdk};

const FLAGS: [&str; 3] = [
    "Tier2BackedgeNotifyFreqLog",
    "Tier2InvokeNotifyFreqLog",
    "Tier3DelayOn",
];

/// How long a method stays at what is compiled quickly, as the JVM says what it goes by.
fn delays(jdk: &Jdk, user: &[&str]) -> Vec<String> {
    let folder = java_source("identity").with_extension("");
    let program = Fixture::new().path(folder).compile_for(jdk).unwrap();
    let mut run = program.run(jdk).arg("10").jvm_arg("-XX:+PrintFlagsFinal");
    for option in user {
        run = run.jvm_arg(*option);
    }
    let recorded = record(&run, "detail=calls");
    let printed = recorded.finished.stdout_text();
    let mut delays = Vec::new();
    for line in printed.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        // Java 8 marks what the user chose.
        if let ["intx", flag, "=" | ":=", value, ..] = words[..]
            && FLAGS.contains(&flag)
        {
            delays.push(value.to_owned());
        }
    }
    delays
}

/// In the order of the flags, which the JVM prints by name.
fn check(user: &[&str], expected: [&str; 3]) {
    for jdk in jdks() {
        assert_eq!(delays(jdk, user), expected, "{}", jdk.full_version());
    }
}

#[test]
fn methods_stay_long_at_what_is_compiled_quickly() {
    check(&[], ["20", "18", "-1"]);
}

#[test]
fn what_the_user_chose_stays() {
    let user = ["-XX:Tier3DelayOn=7", "-XX:Tier2BackedgeNotifyFreqLog=13"];
    check(&user, ["13", "18", "7"]);
}
