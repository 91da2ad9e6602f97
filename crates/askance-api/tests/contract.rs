//! The page's types are the interface's: `web-ui/src/api-schema.ts` is written from the Rust types, and a difference
//! fails. `ASKANCE_WRITE_CONTRACT=1 cargo test -p askance-api --test contract` writes it anew.

#[path = "contract/typescript.rs"]
mod typescript;

use std::path::Path;

use askance_api::{
    diagnosis, events, history, library, line_values, live, live_run, node, output, overview,
    query, questioning, run, search, session, source, suspects, tree, why,
};
use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

const FILE: &str = "../../web-ui/src/api-schema.ts";
const HEAD: &str = "\
// What the server's JSON interface takes and gives. Written from the Rust types of `crates/askance-api` by its test
// `contract`, which fails where the two differ; not to be changed by hand.
";

/// The schemas of some types and of all that they mention.
struct Schemas(SchemaGenerator);

impl Schemas {
    fn new(contract: Contract) -> Schemas {
        let settings = SchemaSettings::draft2020_12().with(|settings| settings.contract = contract);
        Schemas(settings.into_generator())
    }

    fn add<T: JsonSchema>(mut self) -> Schemas {
        self.0.subschema_for::<T>();
        self
    }

    fn definitions(mut self) -> Map<String, Value> {
        self.0.take_definitions(true)
    }
}

fn answers() -> Map<String, Value> {
    Schemas::new(Contract::Serialize)
        .add::<run::RunName>()
        .add::<run::RunInfo>()
        .add::<tree::ChildPage>()
        .add::<tree::NodePath>()
        .add::<search::SearchHits>()
        .add::<live_run::Progress>()
        .add::<live::LiveOutputPiece>()
        .add::<node::NodeShown>()
        .add::<node::Stands>()
        .add::<output::OutputRows>()
        .add::<overview::Overview>()
        .add::<events::Events>()
        .add::<events::FoundEvent>()
        .add::<events::InList>()
        .add::<history::HistoryPage>()
        .add::<why::Why>()
        .add::<source::MethodSource>()
        .add::<line_values::LinesExecuted>()
        .add::<suspects::SuspectList>()
        .add::<library::LibraryPage>()
        .add::<query::QueryAnswer>()
        .add::<query::QueryCatalogue>()
        .add::<diagnosis::DiagnosisReport>()
        .add::<session::SessionView>()
        .add::<questioning::SessionProgress>()
        .definitions()
}

fn requests() -> Map<String, Value> {
    Schemas::new(Contract::Deserialize)
        .add::<tree::ChildrenRequest>()
        .add::<tree::Node>()
        .add::<tree::Moved>()
        .add::<search::Search>()
        .add::<live::From>()
        .add::<live::StopRequest>()
        .add::<node::Where>()
        .add::<node::StepFrom>()
        .add::<output::OutputRequest>()
        .add::<overview::OverviewRequest>()
        .add::<events::EventsRequest>()
        .add::<events::EventSearch>()
        .add::<events::ExecutedInstruction>()
        .add::<history::HistoryRequest>()
        .add::<why::Asked>()
        .add::<source::Of>()
        .add::<line_values::LinesRequest>()
        .add::<suspects::SuspectsRequest>()
        .add::<library::LibraryRequest>()
        .add::<query::QueryRequest>()
        .add::<events::MomentRequest>()
        .add::<session::Saying>()
        .add::<session::TakingBack>()
        .add::<session::About>()
        .add::<session::SaidInside>()
        .add::<session::Doubt>()
        .add::<session::Named>()
        .add::<session::Switched>()
        .add::<session::Restart>()
        .definitions()
}

/// Both, of which no name may mean two things.
fn definitions() -> Map<String, Value> {
    let mut all = answers();
    for (name, schema) in requests() {
        if let Some(other) = all.insert(name.clone(), schema.clone()) {
            assert_eq!(
                other, schema,
                "`{name}` is taken as one thing and given as another"
            );
        }
    }
    all
}

#[test]
fn the_pages_types_are_the_interfaces() {
    let definitions = definitions();
    let numbered = definitions
        .keys()
        .find(|name| name.ends_with(|last: char| last.is_ascii_digit()));
    assert_eq!(numbered, None, "two types of the interface have one name");
    let written = format!("{HEAD}{}", typescript::declarations(&definitions));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    if std::env::var_os("ASKANCE_WRITE_CONTRACT").is_some() {
        std::fs::write(&path, &written).expect("the page's types can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = kept
        .lines()
        .zip(written.lines())
        .find(|(kept, written)| kept != written);
    assert!(
        kept == written,
        "the page's types are not the interface's (first: {differs:?}); \
         run `ASKANCE_WRITE_CONTRACT=1 cargo test -p askance-api --test contract`"
    );
}

#[test]
fn what_may_be_left_out_is_no_null() {
    let answers = answers();
    let text = typescript::declarations(&answers);
    let value = text
        .split("export interface ValueView {")
        .nth(1)
        .and_then(|rest| rest.split("\n}").next());
    let value = value.expect("values are in the interface");
    assert!(value.contains("\n  id?: number;"), "{value}");
    assert!(value.contains("\n  changed?: Changed;"), "{value}");
    assert!(text.contains("export type Label = "), "{text}");
}
