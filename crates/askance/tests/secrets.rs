//! What has a secret's name is not in the trace: not a byte of it, in no file.

use std::path::Path;

use crate::support::{Said, askance, run};
use test_support::{Classes, Fixture};

/// What the program's secrets are; see `Vault.java`.
const SECRETS: [&str; 5] = [
    "s3cr3t-field",
    "s3cr3t-argument",
    "s3cr3t-property-value",
    "s3cr3t-copy",
    "l1teral-v4lue",
];

fn compiled() -> Classes {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/secrets");
    let fixture = Fixture::new().path(source);
    fixture.compile().unwrap()
}

/// Records the program in a folder of its own.
fn record(folder: &Path, classes: &Classes, more: &[&str]) -> Said {
    let mut command = askance(folder);
    command.args(["record", "-o", "t"]).args(more);
    command.args(["--", "java", "-Dvault.token=s3cr3t-property-value", "-cp"]);
    command
        .arg(classes.dir())
        .args(["Vault", "s3cr3t-argument"]);
    let said: Said = command.output().unwrap().into();
    assert_eq!(said.code, Some(0), "{}", said.err);
    said
}

/// Which secrets are in which files below a folder, in either of Java's encodings.
fn found(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(self::found(&path));
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        for secret in SECRETS {
            let wide: Vec<u8> = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
            let holds = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
            if holds(secret.as_bytes()) || holds(&wide) {
                found.push((path.display().to_string(), secret.to_owned()));
            }
        }
    }
    found
}

#[test]
fn no_byte_of_a_secret_is_in_any_file_of_a_trace() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compiled();
    let masked = record(folder.path(), &classes, &[]);
    assert!(
        masked.out.contains("false 2303\n16\n15\ntrue"),
        "{}",
        masked.out
    );
    // With what readers make of it.
    let tree = run(folder.path(), ["tree", "t"]);
    assert!(
        tree.out.contains("password=(masked)") && tree.out.contains("total(numbers=[20, 22]) → 42"),
        "{}",
        tree.out
    );
    run(folder.path(), ["history", "t", "0:password"]);
    assert_eq!(found(folder.path()), []);

    std::fs::remove_dir_all(folder.path().join("t")).unwrap();
    let open = record(folder.path(), &classes, &["--no-mask"]);
    assert_eq!(open.out, masked.out, "the program runs as without us");
    let in_files = found(folder.path());
    for secret in SECRETS {
        assert!(
            in_files.iter().any(|(_, found)| found == secret),
            "{secret}"
        );
    }
}

#[test]
fn a_call_that_computes_with_a_secret_says_why_it_cannot_be_replayed() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), &compiled(), &[]);
    let why = run(folder.path(), ["why", "t", "strength", "return"]);
    assert!(why.out.contains("it read a masked value"), "{}", why.out);
    // Text that is only handed on does not matter.
    let events = run(folder.path(), ["events", "t", "login"]);
    assert!(
        events.out.contains("returns true") && !events.out.contains("cannot be re-executed"),
        "{}",
        events.out
    );
}

#[test]
fn the_words_of_a_parser_are_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "public class Words {
        static int count(String text) {
            int letters = 0;
            for (String token : text.split(\" \")) {
                if (token.charAt(0) != '#') letters += token.length();
            }
            return letters;
        }
        static int length(String token) { return token.length(); }
        public static void main(String[] args) {
            count(\"a few #short words\");
            length(args[0]);
        }
    }";
    crate::support::source(folder, "Words.java", program);
    let tree = |more: &[&str]| {
        let words = ["record", "-o", "t"].iter().chain(more);
        let words = words.chain(&["Words.java", "--", "9f86d081884c7d65"]);
        assert_eq!(run(folder, words).code, Some(0));
        run(folder, ["tree", "t"]).out
    };
    let usual = tree(&[]);
    assert!(usual.contains("length(token=(masked)) → 16"), "{usual}");
    let events = run(folder, ["events", "t", "count"]).out;
    assert!(events.contains("token = \"#short\""), "{events}");
    assert!(!events.contains("masked"), "{events}");

    tree(&["--mask", "token"]);
    let events = run(folder, ["events", "t", "count"]);
    let said = events.out + &events.err;
    assert!(said.contains("masked"), "{said}");
}

/// What lexers and parsers hold in a variable called `token`.
const WORDS: [&str; 16] = [
    "preceding-sibling",
    "processing-instruction",
    "getElementsByTagName",
    "ConcurrentModificationException",
    "java.util.concurrent.TimeUnit",
    "org/w3c/dom/Element2",
    "sha256WithRSAEncryption",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
    "ISO-8859-1-compatible",
    "2024-01-02T03:04:05Z",
    "0xCAFEBABEDEADBEEFL",
    "0x1f2e3d4c5b6a7988",
    "3.14159265358979323846",
    "9007199254740993L",
    "over 13 lazy dogs",
    ">>>=================",
];

/// What services and sessions hand out; made up.
const DRAWN: [&str; 8] = [
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
    "ghx_16C7e42F292c6912E7710c838347Ae178B4a",
    "550e8400-e29b-41d4-a716-446655440000",
    "9f86d081884c7d659a2feaa0c55ad015",
    "sk-T3BlbkFJa1B2c3D4e5F6g7H8",
    "xoxq-2345-4mTKV8q1Zs0P2w9X",
    "Zm9vYmFyMTIzNDU2Nzg5MA==",
    "s3cr3t-pr0perty-v4lue",
];

#[test]
fn a_token_is_masked_if_it_looks_like_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let program = "public class Tokens {
        static int length(String token) { return token.length(); }
        static int keep(String accessToken) { return accessToken.length(); }
        public static void main(String[] args) {
            for (String word : args) length(word);
            keep(\"hunter\");
        }
    }";
    crate::support::source(folder, "Tokens.java", program);
    let words = ["record", "-o", "t", "Tokens.java", "--"].iter();
    let words = words.chain(&WORDS).chain(&DRAWN);
    assert_eq!(run(folder, words).code, Some(0));
    let tree = run(folder, ["tree", "t", "--width", "100"]).out;
    for word in WORDS {
        assert!(
            tree.contains(&format!("length(token=\"{word}\")")),
            "{word}: {tree}"
        );
    }
    for drawn in DRAWN {
        assert!(!tree.contains(drawn), "{drawn}: {tree}");
    }
    assert!(tree.contains("keep(accessToken=(masked))"), "{tree}");
}

#[test]
fn names_come_from_the_command_line_and_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compiled();
    let shows = |more: &[&str]| {
        let _ = std::fs::remove_dir_all(folder.path().join("t"));
        record(folder.path(), &classes, more);
        run(folder.path(), ["tree", "t"]).out
    };
    assert!(shows(&[]).contains(r#"user="bob""#));
    assert!(shows(&["--mask", "user"]).contains("user=(masked)"));
    let exception = shows(&["--mask", "!password"]);
    assert!(
        exception.contains(r#"password="s3cr3t-argument""#),
        "{exception}"
    );
    let config = folder.path().join("askance.toml");
    std::fs::write(&config, "[secrets]\nmask = [\"us*\"]\ndefaults = false\n").unwrap();
    let own = shows(&[]);
    assert!(
        own.contains("user=(masked)") && own.contains("\"s3cr3t-argument\""),
        "{own}"
    );
    std::fs::write(&config, "[secrets]\nmasks = []\n").unwrap();
    run(folder.path(), ["record", "-o", "u", "--", "true"])
        .refused(2, "line 2: unknown field `masks`");
    run(folder.path(), ["record", "--mask", "*", "--", "true"]).refused(2, "a pattern is a name");
}

#[test]
fn a_command_whose_secrets_are_masked_is_not_run_again_with_other_words() {
    let folder = tempfile::tempdir().unwrap();
    let classes = compiled();
    record(folder.path(), &classes, &[]);
    let other = classes.dir().display().to_string();
    run(
        folder.path(),
        ["ask", "t", "--reference", &other, "--non-interactive"],
    )
    .refused(2, "recorded without its secrets");
}
