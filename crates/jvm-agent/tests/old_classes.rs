//! Class files from before stack maps: the JVM's verifier infers what locals hold, and loads classes to compare them.

#![allow(clippy::unwrap_used, reason = "helpers of tests are not seen as tests")]

use std::fs;
use std::path::Path;

use crate::common::{assert_whole, java_source, jdks, record};
use classfile::ClassFile;
use test_support::{Fixture, Run};

const LAST_WITHOUT_FRAMES: u16 = 49;

/// A library that a program only uses where it is there may be missing, recorded or not.
#[test]
fn a_class_that_is_not_there_is_not_asked_for() {
    let source = java_source("optional/Main").with_file_name("");
    let compiled = Fixture::new()
        .path(source)
        .release(Some(8))
        .compile()
        .unwrap();
    let classes = tempfile::tempdir().unwrap();
    for there in ["Main.class", "Present.class"] {
        let old = passed_off_as_old(&compiled.dir().join(there));
        fs::write(classes.path().join(there), old).unwrap();
    }
    for jdk in jdks() {
        let run = Run::new(jdk)
            .class_path([classes.path()])
            .jvm_arg("-Xverify:all");
        let plain = run.run().unwrap();
        assert_eq!(plain.exit_code(), Some(0), "{}", plain.stderr_text());
        // Nearly every name is a secret's, and every object is asked for its text: all probes are there.
        for detail in ["detail=full,mask=*a*;*e*;*i*,texts=*", "detail=calls"] {
            let recorded = record(&run, detail).like(&plain);
            assert_whole(&recorded.trace(), |_| false);
            assert_eq!(recorded.trace().log(), Vec::<String>::new());
        }
    }
}

fn passed_off_as_old(file: &Path) -> Vec<u8> {
    let mut class = ClassFile::parse(&fs::read(file).unwrap()).unwrap();
    class.major = LAST_WITHOUT_FRAMES;
    for index in 0..class.methods.len() {
        if let Some(mut code) = class.code(&class.methods[index]).unwrap() {
            let is_map = |name| class.constants.utf8_bytes(name) == Ok(b"StackMapTable");
            code.attributes.retain(|attribute| !is_map(attribute.name));
            class.set_code(index, &code).unwrap();
        }
    }
    class.write()
}
