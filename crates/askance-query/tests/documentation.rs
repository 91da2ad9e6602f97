//! The page about queries says what the tables are.

use test_support::workspace_root;

const BEGIN: &str =
    "<!-- schema: `WRITE=1 cargo test -p askance-query documentation` makes it -->\n";
const END: &str = "<!-- end of schema -->\n";

#[test]
fn the_schema_on_the_page_is_that_of_the_tables() {
    let path = workspace_root().join("docs/query.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once(END).unwrap();
    let schema = askance_query::schema::markdown();
    let expected = format!("{before}{BEGIN}{schema}{END}{after}");
    if std::env::var_os("WRITE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    } else {
        assert!(
            page == expected,
            "docs/query.md is not up to date; WRITE=1 makes it"
        );
    }
}
