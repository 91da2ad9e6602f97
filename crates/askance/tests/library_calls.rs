//! Calls of libraries and the JDK as leaves of the tree, as the re-execution of the calls that made them shows them.

use crate::support::{run, source};

const SHELF: &str = r#"
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

public class Shelf {
    public static void main(String[] args) {
        List<String> books = new ArrayList<>();
        books.add("Emma");
        twice(3);
        long most = Math.max(4L, 7L);
        try {
            Integer.parseInt("no");
        } catch (NumberFormatException e) {
            most++;
        }
        gone();
    }

    static int twice(int n) {
        return Math.addExact(n, n);
    }

    static void gone() {
        Objects.requireNonNull(null, "gone");
    }
}
"#;

#[test]
fn they_stand_between_the_recorded_calls_with_what_they_were_given() {
    let folder = tempfile::tempdir().unwrap();
    source(folder.path(), "Shelf.java", SHELF);
    run(folder.path(), ["record", "-o", "t", "Shelf.java"]).recorded();
    let tree = |options: &[&str]| {
        let words = [&["tree", "t", "--library"], options].concat();
        let said = run(folder.path(), words);
        assert_eq!(said.code, Some(0), "{}", said.err);
        // Object numbers depend on the JVM.
        let (before, after) = said.out.split_once("ArrayList#").unwrap_or((&said.out, ""));
        let after = after.trim_start_matches(|sign: char| sign.is_ascii_digit());
        format!(
            "{before}{}{after}",
            if after.is_empty() {
                ""
            } else {
                "ArrayList#…"
            }
        )
    };
    insta::assert_snapshot!(tree(&[]), @r#"
    #0 Shelf.main(args=[]) → throws java.lang.NullPointerException("gone")
      · new ArrayList()
      · ArrayList#….add("Emma") → true
      #1 Shelf.twice(n=3) → 6
        · Math.addExact(3, 3) → 6
      · Math.max(4, 7) → 7
      · Integer.parseInt("no") → throws java.lang.NumberFormatException("For input string: \"no\"")
      #2 Shelf.gone() → throws java.lang.NullPointerException("gone")
        · Objects.requireNonNull(…) → throws java.lang.NullPointerException("gone")
    "#);
    // A page of the calls has the leaves that belong to it, and no others.
    insta::assert_snapshot!(tree(&["--depth", "1", "--skip", "1", "--node", "0"]), @r#"
    #0 Shelf.main(args=[]) → throws java.lang.NullPointerException("gone")  …2 below
      · Math.max(4, 7) → 7
      · Integer.parseInt("no") → throws java.lang.NumberFormatException("For input string: \"no\"")
      #2 Shelf.gone() → throws java.lang.NullPointerException("gone")
    "#);
    insta::assert_snapshot!(tree(&["--depth", "1", "--width", "1"]), @r#"
    #0 Shelf.main(args=[]) → throws java.lang.NullPointerException("gone")  …2 below
      · new ArrayList()
      #1 Shelf.twice(n=3) → 6
      · …
    "#);
}
