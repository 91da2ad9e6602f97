//! The session of section 4 of *JHyde*, with the paper's program: divide & query by edge coverage asks about the last
//! `merge` first, and that ends the search.

use std::path::Path;

use crate::support::run;

/// The first numbers of the lines that list what calls weigh.
fn weights(told: &str) -> Vec<u32> {
    let listed = told.lines().skip_while(|line| !line.contains("weights, "));
    let first = listed.skip(1).map(|line| line.split_whitespace().next());
    first.map_while(|word| word?.parse().ok()).collect()
}

#[test]
fn edge_coverage_finds_the_bug_of_the_paper_with_its_first_question() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/jhyde/MergeSort.java");
    let program = program.display().to_string();
    let recorded = run(folder.path(), ["record", "-o", "trace", &program]);
    assert_eq!(recorded.out, "[1, 4, 9, 7]\n");
    std::fs::write(folder.path().join("answers"), "no\n").unwrap();
    let asked = |strategy: &str| {
        let ask = ["ask", "trace", "--answers", "answers", "--explain"];
        run(
            folder.path(),
            [&ask[..], &["--strategy", strategy]].concat(),
        )
    };
    let said = asked("edge-coverage");
    // The paper has 46, 45, 7, 8, 8, 7, 10. The last merge goes nine ways (it is entered; the first condition holds,
    // the second and the comparison hold and fail, the second loop is entered and left, the third is not entered),
    // one fewer than the paper counts, and so do its callers.
    assert_eq!(weights(&said.err), [45, 44, 7, 8, 8, 7, 9], "{}", said.err);
    assert!(
        said.err.contains("its weight, 9 of 45, is nearest to half"),
        "{}",
        said.err
    );
    assert_eq!(
        said.err.matches("Is this right?").count(),
        1,
        "{}",
        said.err
    );
    assert!(
        said.out.starts_with("The bug is in MergeSort.merge"),
        "{}",
        said.out
    );
    assert!(said.out.contains("\n  #6 merge("), "{}", said.out);
    // Edges that have no alternative count for loops, not for decisions: `distribute` comes first.
    let said = asked("block-edge-coverage");
    assert!(said.err.contains("#2 MergeSort.distribute"), "{}", said.err);
}
