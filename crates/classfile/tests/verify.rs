//! Rewrites every class of many real jars and lets a JVM verify the result.
//!
//! Each method gets everything the editor can do at once. Some methods are blown up to almost
//! the largest size there is, so that jumps no longer reach their targets.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test stops at the first surprise and may talk about the others"
)]

use crate::common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::rewrite::{Tally, rewrite_class};
use classfile::{ClassFile, Constant};

#[test]
fn rewritten_classes_verify() {
    let originals = common::class_files();
    let tally = check(&originals);
    assert_ne!(tally.start_stubs, 0);
    assert_ne!(tally.end_stubs, 0);
}

/// Compilers of today do not write class files from before stack maps, but most of what they
/// write can be passed off as such. The JVM then uses its other verifier, the inferring one.
#[test]
fn rewritten_old_classes_verify() {
    const LAST_WITHOUT_FRAMES: u16 = 49;
    let originals = common::class_files();
    let aged = tempfile::tempdir().unwrap();
    let mut jars: Vec<_> = fs::read_dir(&originals)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    jars.sort();
    for file in jars
        .iter()
        .step_by(4)
        .flat_map(|jar| common::files_below(jar))
    {
        let mut class = ClassFile::parse(&fs::read(&file).unwrap()).unwrap();
        // The others stay as they are, for this verifier loads many classes to compare types.
        if !is_too_modern(&class) {
            class.major = LAST_WITHOUT_FRAMES;
            drop_frames(&mut class);
        }
        common::write_at(
            aged.path(),
            file.strip_prefix(&originals).unwrap(),
            &class.write(),
        );
    }
    let tally = check(aged.path());
    assert_ne!(tally.start_stubs, 0);
    assert!(tally.old_methods * 2 > tally.methods);
}

/// The tests above would pass as well if the JVM did not look.
#[test]
fn the_jvm_notices_missing_frames() {
    let originals = common::class_files();
    let broken = tempfile::tempdir().unwrap();
    for file in common::files_below(&originals).iter().step_by(500) {
        let mut class = ClassFile::parse(&fs::read(file).unwrap()).unwrap();
        drop_frames(&mut class);
        let relative = file.strip_prefix(&originals).unwrap();
        common::write_at(broken.path(), relative, &class.write());
    }
    let errors = link_errors(broken.path());
    assert!(
        errors
            .values()
            .any(|error| error.kind == "java.lang.VerifyError")
    );
}

fn drop_frames(class: &mut ClassFile) {
    for index in 0..class.methods.len() {
        if let Some(mut code) = class.code(&class.methods[index]).unwrap() {
            code.attributes.retain(|attribute| {
                class.constants.utf8_bytes(attribute.name) != Ok(b"StackMapTable")
            });
            class.set_code(index, &code).unwrap();
        }
    }
}

/// Whether a class uses what came with later versions.
fn is_too_modern(class: &ClassFile) -> bool {
    let modern = |(_, constant)| {
        matches!(
            constant,
            Constant::MethodHandle { .. }
                | Constant::MethodType { .. }
                | Constant::Dynamic { .. }
                | Constant::InvokeDynamic { .. }
        )
    };
    let has_body = |method: &classfile::Method| {
        !method.access.is_abstract() && class.method_name(method).unwrap() != "<clinit>"
    };
    class.constants.iter().any(modern)
        || (class.access.is_interface() && class.methods.iter().any(has_body))
}

/// Rewrites all classes: none may fail to link that did link, or fail in another way.
fn check(originals: &Path) -> Tally {
    let rewritten = tempfile::tempdir().unwrap();
    let mut tally = Tally::default();
    for file in common::files_below(originals) {
        let new = rewrite_class(&fs::read(&file).unwrap(), &mut tally);
        common::write_at(
            rewritten.path(),
            file.strip_prefix(originals).unwrap(),
            &new,
        );
    }
    let before = link_errors(originals);
    let after = link_errors(rewritten.path());
    let new_errors: Vec<_> = after
        .iter()
        .filter(|&(class, error)| before.get(class).map(|e| &e.kind) != Some(&error.kind))
        .collect();
    let few = &new_errors[..new_errors.len().min(8)];
    assert!(
        few.is_empty(),
        "{} classes fail:\n{few:#?}",
        new_errors.len()
    );
    assert!(
        before.len() * 5 < tally.classes,
        "{} of {} classes did not link in the first place",
        before.len(),
        tally.classes
    );
    println!(
        "{} of {} linked",
        tally.classes - after.len(),
        tally.classes
    );
    println!("{tally:#?}");
    println!(
        "{:.1} MB/s",
        tally.bytes as f64 / 1e6 / tally.time.as_secs_f64()
    );
    tally
}

/// What each class that does not link says.
pub(crate) type LinkErrors = BTreeMap<String, LinkError>;

#[derive(Debug, PartialEq)]
pub(crate) struct LinkError {
    pub(crate) kind: String,
    message: String,
}

pub(crate) fn link_errors(directory: &Path) -> LinkErrors {
    let output = common::java(&["-Xverify:all", "-Xmx2g"], "link", directory, []);
    let mut errors = BTreeMap::new();
    for line in output.lines() {
        let mut parts = line.splitn(3, '\t').map(str::to_owned);
        let mut part = || parts.next().unwrap();
        let (class, kind, message) = (part(), part(), part());
        errors.insert(class, LinkError { kind, message });
    }
    errors
}
