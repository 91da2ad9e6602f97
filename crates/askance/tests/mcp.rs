//! `askance mcp`, driven by a real client of the protocol's SDK over standard input and output.

use std::path::Path;
use std::process::Stdio;

use crate::support::recorded::Recorded;
use crate::support::{answers_file, run, source};
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::RunningService;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _};
use serde_json::{Value, json};
use test_support::{Example, ExampleVersion};

/// A client with its server.
struct Agent {
    client: RunningService<RoleClient, ()>,
}

impl Agent {
    async fn start(folder: &Path, arguments: &[&str]) -> Agent {
        let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_askance"));
        command.arg("mcp").args(arguments).current_dir(folder);
        if !arguments.contains(&"--strategy") {
            // What is said here was written for one call, or several taken together, at a time.
            command.args(["--strategy", "ranges"]);
        }
        command.envs(crate::support::environment());
        let transport = TokioChildProcess::builder(command).stderr(Stdio::null());
        let (transport, _) = transport.spawn().unwrap();
        let client = ().serve(transport).await.unwrap();
        Agent { client }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let arguments = arguments.as_object().unwrap().clone();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.client.call_tool(request).await.unwrap()
    }

    /// What a tool gives.
    async fn get(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{tool}: {result:?}");
        result.structured_content.unwrap()
    }

    /// The sentence of a tool that refuses.
    async fn refused(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result.is_error, Some(true), "{tool}: {result:?}");
        let text = result.content[0].as_text().unwrap();
        text.text.clone()
    }

    /// Answers as someone who knows what sorting is, up to the diagnosis.
    async fn debug(&self, opened: Value) -> Value {
        let mut step = opened;
        for _ in 0..20 {
            if step["state"] != "question" {
                return step;
            }
            let text = step["question"]["text"].as_str().unwrap();
            let is_wrong = text.contains("9, 7]");
            let answer = if is_wrong { "no" } else { "yes" };
            let said = json!({
                "session": step["session"], "revision": step["revision"],
                "answer": answer, "confidence": 0.8,
            });
            step = self.get("answer", said).await;
        }
        panic!("too many questions: {step}");
    }

    async fn end(self) {
        self.client.cancel().await.unwrap();
    }
}

fn block_on(work: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(work);
}

#[test]
fn an_agent_finds_the_culprit_and_looks_around() {
    let recorded = Recorded::new("merge-sort");
    block_on(async {
        let agent = Agent::start(recorded.folder.path(), &["trace"]).await;
        let tools = agent.client.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
        assert!(!names.contains(&"record"), "{names:?}");
        assert!(tools.iter().all(|tool| tool.output_schema.is_some()));
        assert!(tools.iter().all(|tool| tool.description.is_some()));
        // All descriptions and schemas together must not fill an agent's window.
        let length = serde_json::to_string(&tools).unwrap().len();
        assert!(length < 12_000, "{length}");

        let listed = agent.get("list_traces", json!({})).await;
        assert_eq!(
            listed["traces"],
            json!([{"trace": "trace", "session": null}])
        );
        let opened = agent.get("open_trace", json!({"trace": "trace"})).await;
        let session = opened["session"].clone();
        let again = agent.refused("open_trace", json!({"trace": "trace"})).await;
        assert!(again.contains("is open as session"), "{again}");

        let node = opened["question"]["node"].clone();
        let at = json!({"session": session, "node": node});
        let call = agent.get("show_call", at.clone()).await;
        assert_eq!(call["node"], node);
        let code = agent.get("source", at.clone()).await;
        assert!(code["text"].as_str().unwrap().contains("int"), "{code}");
        let events = agent.get("events", at.clone()).await;
        assert_eq!(events["events"][0]["kind"], "entered", "{events}");
        let roots = agent.get("children", json!({"session": session})).await;
        assert_eq!(roots["rows"][0]["method"], "main", "{roots}");
        let sought = json!({"session": session, "text": "merge", "most": 1});
        let hits = agent.get("search", sought).await;
        assert_eq!(hits["rows"].as_array().unwrap().len(), 1);
        assert!(hits["next"].is_number(), "{hits}");

        let none = agent
            .refused("diagnosis", json!({"session": session}))
            .await;
        assert!(none.contains("questions left"), "{none}");
        let ended = agent.debug(opened).await;
        assert_eq!(ended["state"], "found", "{ended}");
        let report = agent.get("diagnosis", json!({"session": session})).await;
        assert_eq!(report["culprit"]["routine"], "Main.merge", "{report}");
        let lines = report["culprit"]["lines"].as_array().unwrap();
        assert!(lines.contains(&json!(38)), "{report}");
        assert_eq!(report.get("markdown"), None);

        let culprit = report["culprit"]["node"].clone();
        let asked = json!({"session": session, "node": culprit, "path": "c[3]"});
        let why = agent.get("why", asked).await;
        assert!(!why["steps"].as_array().unwrap().is_empty(), "{why}");
        let variable = format!("{culprit}:c[3]");
        let asked = json!({"session": session, "variable": variable});
        let history = agent.get("history", asked).await;
        assert!(!history["writes"].as_array().unwrap().is_empty());

        let answers = agent.get("answers", json!({"session": session})).await;
        let sources: Vec<&str> = answers["answers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|answer| answer["source"].as_str().unwrap())
            .collect();
        assert!(sources.contains(&"an agent, 80 % sure"), "{sources:?}");
        agent.end().await;
    });
    // A person goes on where the agent was.
    let said = recorded.say("ask", &["--json"]);
    let found = said.json();
    assert_eq!(found["method"], "merge", "{}", said.err);
    assert_eq!(found["questions"]["person"], 0);
    assert!(found["questions"]["agent"].as_u64() >= Some(1), "{found}");
}

#[test]
fn an_agent_that_was_wrong_doubts_itself_and_finds_the_culprit() {
    let recorded = Recorded::new("merge-sort");
    block_on(async {
        let agent = Agent::start(recorded.folder.path(), &["trace"]).await;
        let open = json!({"trace": "trace", "strategy": "top-down"});
        let mut step = agent.get("open_trace", open).await;
        let session = step["session"].clone();
        // Everything is right, it says, and is not sure of it.
        let mut revision = json!(0);
        while step["state"] == "question" {
            revision = step["revision"].clone();
            let said = json!({
                "session": session, "revision": revision, "answer": "yes", "confidence": 0.4,
            });
            step = agent.get("answer", said).await;
        }
        assert_eq!(step["state"], "none", "{step}");
        let late = json!({"session": session, "revision": revision, "answer": "yes"});
        let late = agent.refused("answer", late).await;
        assert!(late.contains("gone on"), "{late}");

        // One after the other its answers are asked again, until one of them is taken back for good.
        let mut ended = step;
        while ended["state"] == "none" {
            let at = json!({"session": session, "revision": ended["revision"]});
            let asked = agent.get("revise", at).await;
            assert_eq!(
                asked["question"]["said_before"],
                "right (an agent, 40 % sure)"
            );
            ended = agent.debug(asked).await;
        }
        assert_eq!(ended["state"], "found", "{ended}");
        assert!(ended["found"].as_str().unwrap().contains("merge"));
        assert!(
            !ended["contradicted"].as_array().unwrap().is_empty(),
            "{ended}"
        );
        agent.end().await;
    });
}

#[test]
fn a_person_has_the_last_word() {
    let recorded = Recorded::new("merge-sort");
    // As the file that `ask` keeps: a person has called the run wrong.
    let first = json!({"node": 0, "answer": "no", "source": "person"});
    let kept = json!({
        "version": 1,
        "session": {"options": {}, "answers": [first]},
    });
    let file = answers_file(&recorded.folder.path().join("trace"));
    std::fs::write(file, kept.to_string()).unwrap();
    block_on(async {
        let agent = Agent::start(recorded.folder.path(), &["trace"]).await;
        let opened = agent.get("open_trace", json!({"trace": "trace"})).await;
        assert_eq!(opened["answers"]["person"], 1, "{opened}");
        let (session, revision) = (&opened["session"], &opened["revision"]);
        let said = json!({"session": session, "revision": revision, "answer": "yes", "node": 0});
        let refused = agent.refused("answer", said).await;
        assert!(refused.contains("only a person"), "{refused}");
        let back = json!({"session": session, "revision": revision, "place": 0});
        let refused = agent.refused("undo", back).await;
        assert!(refused.contains("only a person"), "{refused}");
        agent.end().await;
    });
}

#[test]
fn an_agent_records_if_it_may_and_has_several_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let example = Example::named("merge-sort").unwrap();
    let file = example.main_file(ExampleVersion::Buggy);
    source(folder.path(), "Hello.java", crate::support::HELLO);
    block_on(async {
        let arguments = ["--folder", "traces", "--allow-record"];
        let agent = Agent::start(folder.path(), &arguments).await;
        let run = json!({"java_file": file, "name": "sorting"});
        let recorded = agent.get("record", run).await;
        assert_eq!(recorded["trace"], "sorting.askance");
        assert_eq!(recorded["output"], "[1, 4, 9, 7]\n", "{recorded}");
        let run = json!({"java_file": "Hello.java"});
        let other = agent.get("record", run).await;
        assert_eq!(other["trace"], "run1.askance");

        let sorting = json!({"trace": "sorting.askance"});
        let sorting = agent.get("open_trace", sorting).await;
        let hello = json!({"trace": "run1.askance"});
        let hello = agent.get("open_trace", hello).await;
        assert_ne!(sorting["session"], hello["session"]);
        let found = agent.debug(sorting).await;
        assert_eq!(found["state"], "found");
        let still = json!({"session": hello["session"]});
        let still = agent.get("next_question", still).await;
        assert_eq!(still["revision"], hello["revision"]);

        for (wanted, words) in [
            (json!({}), "says what to run"),
            (json!({"java_file": "Missing.java"}), "Missing.java"),
            (
                json!({"java_file": "Hello.java", "name": "../x"}),
                "no name",
            ),
            (json!({"command": ["no-such-program"]}), "no-such-program"),
            (
                json!({"java_file": "Hello.java", "time_limit": -1}),
                "time_limit",
            ),
        ] {
            let refused = agent.refused("record", wanted).await;
            assert!(refused.contains(words), "{refused}");
        }
        let outside = agent.refused("open_trace", json!({"trace": "../x"})).await;
        assert!(outside.contains("list_traces"), "{outside}");
        let missing = agent.refused("next_question", json!({"session": 77})).await;
        assert!(missing.contains("there is no session 77"), "{missing}");
        agent.end().await;
    });
    let kept = crate::support::names(&folder.path().join("traces"));
    assert_eq!(kept, ["run1.askance", "sorting.askance"]);
}

#[test]
fn mistakes_in_the_call_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let said = run(folder.path(), ["mcp"]);
    said.refused(2, "nothing that the agent could open");
    let said = run(folder.path(), ["mcp", "missing"]);
    said.refused(2, "missing is not a trace");
}

#[test]
fn an_agent_asks_the_whole_run_by_sql() {
    if crate::support::companion().is_none() {
        return;
    }
    let recorded = Recorded::new("bank");
    block_on(async {
        let agent = Agent::start(recorded.folder.path(), &["trace"]).await;
        let opened = agent.get("open_trace", json!({"trace": "trace"})).await;
        let ask = |sql: &str, most: usize| json!({"session": opened["session"], "sql": sql, "most": most});
        let negative =
            "SELECT node, old, new FROM write WHERE field = 'balance' AND new_number < 0";
        assert_eq!(
            agent.get("query", ask(negative, 10)).await,
            json!({"columns": ["node", "old", "new"], "rows": [[28, "1200", "-800"]], "more": false})
        );
        let some = agent
            .get("query", ask("SELECT node FROM call ORDER BY node", 2))
            .await;
        assert_eq!(some["rows"], json!([[0], [1]]));
        assert_eq!(some["more"], true);
        let wrong = agent
            .refused("query", ask("SELECT nod FROM call", 10))
            .await;
        assert!(wrong.contains("node"), "{wrong}");
        let changed = agent
            .refused("query", ask("CREATE TABLE mine (a INT)", 10))
            .await;
        assert!(changed.contains("cannot change anything"), "{changed}");
        agent.end().await;
    });
}
