//! Findings in the Static Analysis Results Interchange Format, version 2.1.0, which servers and editors take in.

use serde_json::{Value, json};

use crate::{Blame, FindingKind, TestFinding};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// A log with one run. Findings without a place are left out: the format's readers show places.
#[must_use]
pub fn sarif(findings: &[TestFinding], version: &str) -> Value {
    let results: Vec<Value> = findings.iter().filter_map(result).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Askance",
                "version": version,
                "rules": [
                    {"id": "culprit", "shortDescription": {"text": "Code that makes a test fail"}},
                    {"id": "suspect", "shortDescription": {"text": "Code that may make a test fail"}},
                ],
            }},
            "results": results,
        }],
    })
}

fn result(finding: &TestFinding) -> Option<Value> {
    let (rule, level) = match finding.kind {
        FindingKind::Found { .. } => ("culprit", "error"),
        _ => ("suspect", "warning"),
    };
    let locations: Vec<Value> = finding.blamed().iter().filter_map(location).collect();
    if locations.is_empty() {
        return None;
    }
    let text = format!("{} fails: {}", finding.test.pattern(), finding.sentence());
    Some(json!({
        "ruleId": rule,
        "level": level,
        "message": {"text": text},
        "locations": locations,
    }))
}

fn location(blame: &Blame) -> Option<Value> {
    let file = blame.file.as_ref()?.to_string_lossy().into_owned();
    let mut place = json!({"artifactLocation": {"uri": uri(&file)}});
    if let (Some(first), Some(last)) = (blame.lines.first(), blame.lines.last()) {
        place["region"] = json!({"startLine": first, "endLine": last});
    }
    let name = match &blame.method {
        Some(method) => format!("{}.{method}", blame.class),
        None => blame.class.clone(),
    };
    Some(json!({
        "physicalLocation": place,
        "logicalLocations": [{"fullyQualifiedName": name}],
    }))
}

/// What a relative reference may not have in it is written as bytes.
fn uri(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'$' => {
                text.push(char::from(byte))
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FailedTest, annotations, markdown};

    fn findings() -> Vec<TestFinding> {
        let test = |method: &str| FailedTest {
            class: "shop.CartTest".to_owned(),
            method: Some(method.to_owned()),
            is_numbered: false,
            message: "expected:<12> but was:<13>".to_owned(),
            report: "TEST-shop.CartTest.xml".into(),
        };
        let blame = |method: &str, lines: &[u32]| Blame {
            class: "shop.Cart".to_owned(),
            method: Some(method.to_owned()),
            file: Some("src/main/java/shop/My Cart.java".into()),
            lines: lines.to_vec(),
        };
        vec![
            TestFinding {
                test: test("total"),
                kind: FindingKind::Found {
                    blame: vec![blame("total", &[17, 19])],
                    experiments: 7,
                },
                trace: Some("askance-report/traces/total.askance".into()),
                page: None,
            },
            TestFinding {
                test: test("lines"),
                kind: FindingKind::Suspects(vec![blame("lines", &[3]), blame("add", &[9])]),
                trace: None,
                page: None,
            },
            TestFinding {
                test: test("clock"),
                kind: FindingKind::Flaky,
                trace: None,
                page: None,
            },
        ]
    }

    #[test]
    fn a_culprit_is_an_error_and_a_suspect_a_warning_at_its_lines() {
        let log = sarif(&findings(), "1.0");
        let results = &log["runs"][0]["results"];
        assert_eq!(results.as_array().map(Vec::len), Some(2));
        assert_eq!(results[0]["level"], "error");
        assert_eq!(results[1]["level"], "warning");
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"]["uri"],
            "src/main/java/shop/My%20Cart.java"
        );
        assert_eq!(place["region"], json!({"startLine": 17, "endLine": 19}));
    }

    #[test]
    fn the_same_for_a_workflow_and_for_its_page() {
        insta::assert_snapshot!(annotations(&findings()), @r"
        ::error file=src/main/java/shop/My Cart.java,line=17,title=shop.CartTest#total failed::the bug is in shop.Cart.total (src/main/java/shop/My Cart.java:17), verified by 7 runs
        ::warning file=src/main/java/shop/My Cart.java,line=3,title=shop.CartTest#lines failed::suspects, the likeliest first: shop.Cart.lines (src/main/java/shop/My Cart.java:3), shop.Cart.add (src/main/java/shop/My Cart.java:9)
        ");
        insta::assert_snapshot!(markdown(&findings(), 3), @r"
        ## Askance: 3 tests failed

        ### `shop.CartTest#total`

        It failed: `expected:<12> but was:<13>`

        The bug is in shop.Cart.total (src/main/java/shop/My Cart.java:17), verified by 7 runs.

        To look at it: `askance serve askance-report/traces/total.askance`

        ### `shop.CartTest#lines`

        It failed: `expected:<12> but was:<13>`

        Suspects, the likeliest first: shop.Cart.lines (src/main/java/shop/My Cart.java:3), shop.Cart.add (src/main/java/shop/My Cart.java:9).

        ### `shop.CartTest#clock`

        It failed: `expected:<12> but was:<13>`

        Flaky: it passed when it was run again.
        ");
        let some = markdown(&findings(), 12);
        let told = "## Askance: 12 tests failed\n\nOf 3 of them, this was found out.\n\n### ";
        assert!(some.starts_with(told), "{some}");
    }
}
