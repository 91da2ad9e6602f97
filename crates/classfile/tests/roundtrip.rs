//! Real class files come out as they went in, and broken ones do no harm.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use crate::common;

use std::fs;
use std::sync::LazyLock;

use crate::common::rewrite::{Tally, rewrite_method};
use classfile::flow::{ControlFlow, DefUse};
use classfile::{ClassFile, Code};
use proptest::prelude::*;
use proptest::sample::Index;

#[test]
fn writing_undoes_parsing() {
    for file in common::files_below(&common::class_files()) {
        let bytes = fs::read(&file).unwrap();
        let mut class = ClassFile::parse(&bytes).unwrap();
        assert!(class.write() == bytes, "{}", file.display());
        for index in 0..class.methods.len() {
            if let Some(code) = class.code(&class.methods[index]).unwrap() {
                class.set_code(index, &code).unwrap();
            }
        }
        assert!(class.write() == bytes, "{}, code", file.display());
    }
}

/// An edit without insertions changes nothing but the form of the frames.
#[test]
fn an_empty_edit_keeps_the_code() {
    for bytes in SAMPLES.iter() {
        let mut class = ClassFile::parse(bytes).unwrap();
        for method in class.methods.clone() {
            let Some(code) = class.code(&method).unwrap() else {
                continue;
            };
            let editor = classfile::CodeEditor::new(&class, &method, &code).unwrap();
            let edited = editor.finish(&mut class.constants).unwrap();
            assert_eq!(
                Code {
                    attributes: code.attributes.clone(),
                    ..edited.clone()
                },
                code
            );
            let lines = |code: &Code| code.line_numbers(&class.constants).unwrap();
            assert_eq!(lines(&edited), lines(&code));
            let variables = |code: &Code| code.local_variables(&class.constants).unwrap();
            assert_eq!(variables(&edited), variables(&code));
        }
    }
}

/// Some classes of every kind.
static SAMPLES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let files = common::files_below(&common::class_files());
    let step = files.len() / 300 + 1;
    let some = files.iter().step_by(step);
    some.map(|file| fs::read(file).unwrap()).collect()
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn broken_classes_are_survived(
        class in any::<Index>(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..8),
        cut in prop::option::weighted(0.1, any::<Index>()),
    ) {
        let mut bytes = sample(&class).to_vec();
        harm(&mut bytes, &damage);
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mut class) = ClassFile::parse(&bytes) {
            prop_assert_eq!(class.write(), bytes);
            use_everything(&mut class);
        }
    }

    #[test]
    fn broken_code_is_survived(
        class in any::<Index>(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4),
    ) {
        let mut class = ClassFile::parse(sample(&class)).unwrap();
        for method in &mut class.methods {
            for attribute in &mut method.attributes {
                harm(&mut attribute.bytes, &damage);
            }
        }
        use_everything(&mut class);
    }

    #[test]
    fn broken_tables_are_survived(
        class in any::<Index>(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..4),
    ) {
        let mut class = ClassFile::parse(sample(&class)).unwrap();
        for index in 0..class.methods.len() {
            let Some(mut code) = class.code(&class.methods[index]).unwrap() else {
                continue;
            };
            for attribute in &mut code.attributes {
                harm(&mut attribute.bytes, &damage);
            }
            class.set_code(index, &code).unwrap();
        }
        use_everything(&mut class);
    }
}

fn sample(index: &Index) -> &'static [u8] {
    &SAMPLES[index.index(SAMPLES.len())]
}

fn harm(bytes: &mut [u8], damage: &[(Index, u8)]) {
    if bytes.is_empty() {
        return;
    }
    for (place, value) in damage {
        bytes[place.index(bytes.len())] = *value;
    }
}

/// Calls whatever reads a class; only panics count.
fn use_everything(class: &mut ClassFile) {
    let _ = (class.name(), class.super_name(), class.source_file());
    for (index, _) in class.constants.clone().iter() {
        let _ = class.constants.class_name(index);
        let _ = class.constants.member_ref(index);
    }
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        if let Ok(descriptor) = class.method_descriptor(method) {
            let _ = java_names::descriptor::parse_method(&descriptor);
        }
        let Ok(Some(code)) = class.code(method) else {
            continue;
        };
        let _ = code.line_numbers(&class.constants);
        let _ = code.local_variables(&class.constants);
        if let Ok(instructions) = code.instructions()
            && let Ok(graph) = ControlFlow::of(&code, &instructions)
        {
            DefUse::of(&instructions, &graph);
        }
        let edited = rewrite_method(class, index, &code, index % 3 == 0, &mut Tally::default());
        if let Ok(edited) = edited {
            class.set_code(index, &edited).unwrap();
        }
    }
    class.write();
}
