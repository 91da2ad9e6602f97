//! Identity hashes of recorded objects are others than in an unrecorded run: a program that goes by them is told so,
//! with the class and the place, and no other program is.

use crate::support::run;

/// Records a program, and gives what was said about identity hashes, at the end and later.
#[track_caller]
fn told(body: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let source = format!(
        "import java.util.*;
public class Main {{
    static class Plain {{ int number; Plain(int number) {{ this.number = number; }} }}
    record Valued(int number) {{}}
    enum Colour {{ RED, GREEN, BLUE }}
    public static void main(String[] arguments) {{
        int sum = 0;
{body}
        System.out.println(sum);
    }}
}}
"
    );
    std::fs::write(folder.path().join("Main.java"), source).unwrap();
    let recorded = run(folder.path(), ["record", "-o", "T", "Main.java"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    let info = run(folder.path(), ["info", "T"]).out;
    let about_hashes = |text: &str| {
        let lines = text.lines().filter(|line| line.contains("identity hash"));
        let plain = lines.map(|line| line.trim_start_matches("askance: "));
        let plain = plain.map(|line| line.trim_start().trim_start_matches("log").trim());
        plain.map(str::to_owned).collect::<Vec<String>>()
    };
    let said = about_hashes(&recorded.err);
    assert_eq!(about_hashes(&info), said);
    said
}

#[test]
fn a_set_of_objects_without_a_hash_of_their_own_is_gone_through() {
    let said = told(
        "        Set<Plain> all = new HashSet<>();
        for (int i = 0; i < 5; i++) all.add(new Plain(i));
        for (Plain it : all) sum = 31 * sum + it.number;",
    );
    assert_eq!(
        said,
        [
            "Main.main (Main.java:10) goes through a java.util.HashSet in the order of its keys' identity hashes, those \
          of Main$Plain, which differ from what an unrecorded run would give"
        ]
    );
}

#[test]
fn ways_to_go_through_maps_are_known() {
    for walk in [
        "for (Colour key : map.keySet()) sum = 31 * sum + key.ordinal();",
        "for (Map.Entry<Colour, Integer> it : map.entrySet()) sum = 31 * sum + it.getValue();",
        "for (int value : map.values()) sum = 31 * sum + value;",
        "map.forEach((key, value) -> System.out.println(value));",
        "sum = new ArrayList<>(map.keySet()).get(0).ordinal();",
        "sum = map.keySet().stream().findFirst().get().ordinal();",
        "System.out.println(\"all: \" + map);",
    ] {
        let said = told(&format!(
            "        Map<Colour, Integer> map = new HashMap<>();
        for (Colour colour : Colour.values()) map.put(colour, colour.ordinal());
        {walk}"
        ));
        assert_eq!(said.len(), 1, "{walk}: {said:?}");
        assert!(said[0].contains("Main$Colour"), "{walk}: {said:?}");
    }
}

#[test]
fn hashes_that_are_asked_for_are_told() {
    for (asks, what) in [
        (
            "sum = System.identityHashCode(\"text\");",
            "uses the identity hash of java.lang.String",
        ),
        (
            "sum = new Plain(1).hashCode();",
            "uses the identity hash of Main$Plain",
        ),
        (
            "sum = Objects.hashCode(new Plain(1));",
            "uses the identity hash of Main$Plain",
        ),
        (
            "System.out.println(new Plain(1));",
            "makes a text of Main$Plain that shows",
        ),
        (
            "String text = \"a\" + new Plain(1) + sum;",
            "makes a text of Main$Plain that shows",
        ),
        (
            "String text = new int[1].toString();",
            "makes a text of [I that shows",
        ),
    ] {
        let said = told(&format!("        {asks}"));
        assert_eq!(said.len(), 1, "{asks}: {said:?}");
        assert!(said[0].contains(what), "{asks}: {said:?}");
        assert!(said[0].starts_with("Main.main (Main.java:8) "), "{said:?}");
    }
}

/// Objects with hashes of their own, orders that depend on none, and maps that nobody goes through.
#[test]
fn a_program_that_does_not_depend_on_them_is_not_told() {
    let said = told(
        "        Map<Plain, Integer> looked = new HashMap<>();
        Plain known = new Plain(7);
        looked.put(known, 1);
        looked.put(new Plain(8), 2);
        sum += looked.get(known);
        Set<Plain> linked = new LinkedHashSet<>(List.of(known, new Plain(3)));
        for (Plain it : linked) sum += it.number;
        Set<Valued> valued = new HashSet<>(List.of(new Valued(1), new Valued(2)));
        for (Valued it : valued) sum += it.number();
        Map<String, Integer> texts = new HashMap<>(Map.of(\"a\", 1, \"b\", 2));
        for (String key : texts.keySet()) sum += key.hashCode();
        Map<Integer, Integer> numbers = new TreeMap<>(Map.of(1, 2, 3, 4));
        numbers.forEach((key, value) -> System.out.println(key + value));
        Set<Plain> one = new HashSet<>(Set.of(known));
        for (Plain it : one) sum += it.number;
        System.out.println(new Valued(3) + \" \" + Colour.RED + \" \" + valued + texts.hashCode());",
    );
    assert_eq!(said, [""; 0]);
}
