//! What an editor waits for in a large recorded run: a client of the Debug Adapter Protocol drives `askance dap` over
//! its streams, as an editor does, and measures each answer by the clock and in CPU time of the adapter.

mod client;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use client::{Client, Cost};
use serde_json::{Value, json};
use test_support::workloads::Large;

use crate::machine::Machine;
use crate::peak_memory::PeakMemory;
use crate::probe_process;
use crate::record_bench::{BenchError, TIME_LIMIT, check_exit, record_prefix, scratch_folder};
use crate::size_bench::text::{milliseconds, rate};
use crate::strategy_bench::Recorder;

pub const COMMAND: &str = "cargo xtask bench editor";
pub const HEADING: &str = "An editor in a large run";

/// The run: a bank that keeps its books. At full scale it has some hundred million events.
const WORKLOAD: &str = "ledger";
const FULL_SCALE: f64 = 5000.0;
const TRANSFERS_A_DAY: u64 = 1000;
/// How often each request is made, elsewhere each time.
const REPEATED: usize = 25;

#[derive(Debug, Clone)]
pub struct Options {
    pub recorder: Recorder,
    /// 1 for a real measurement, less for a trial.
    pub scale: f64,
}

/// What was measured.
#[derive(Debug, Clone)]
pub struct Report {
    calls: u64,
    events: u64,
    rows: Vec<Row>,
    conditions: Vec<Condition>,
    own_memory: u64,
    memory: u64,
    machine: Machine,
}

/// A kind of request.
#[derive(Debug, Clone)]
struct Row {
    what: &'static str,
    costs: Vec<Cost>,
}

/// A breakpoint with a condition, looked up in the whole run.
#[derive(Debug, Clone)]
struct Condition {
    condition: &'static str,
    executions: u64,
    /// What the adapter said of it.
    hits: String,
    cost: Cost,
}

/// Measures; `progress` is told what is being done, a line at a time.
pub fn run(options: &Options, mut progress: impl FnMut(&str)) -> Result<Report, BenchError> {
    options.recorder.check()?;
    let unknown = || BenchError::UnknownWorkload(WORKLOAD.to_owned());
    let mut all = Large::all().iter();
    let large = all.find(|large| large.workload.name == WORKLOAD);
    let large = large.ok_or_else(unknown)?;
    let scale = (FULL_SCALE * options.scale).ceil() as u32;
    let folder = scratch_folder()?;
    let trace = folder.path().join("trace");
    progress("recording");
    let run = large.workload.run(&options.recorder.jdk, scale)?;
    let run =
        run.time_limit(TIME_LIMIT)
            .prefix(record_prefix(&options.recorder.executable, &trace, &[]));
    check_exit("recording", &run.run()?)?;
    progress("making the indexes");
    Client::start(&options.recorder.executable)?.attach(&trace)?;
    let arguments = [OsStr::new("info"), OsStr::new("--json"), trace.as_os_str()];
    let what = "opening the trace";
    let info: Value = probe_process::run(&options.recorder.executable, &arguments, what)?;
    let number = |name: &str| info["jvms"][0][name].as_u64().unwrap_or(0);
    let (calls, events) = (number("calls"), number("events"));

    progress("driving the adapter");
    let mut client = Client::start(&options.recorder.executable)?;
    let memory = PeakMemory::watch(client.process());
    let first = client.measured(|client| client.attach(&trace))?;
    let mut rows = vec![Row {
        what: "the start of the adapter, to the first stop",
        costs: vec![first],
    }];
    let source = large.workload.source_dir().join("Workload.java");
    let mut measuring = Measuring {
        client: &mut client,
        calls,
        seed: 1,
    };
    rows.extend(measuring.steps()?);
    rows.extend(measuring.variables()?);
    rows.push(measuring.last_writes()?);
    progress("conditions");
    let mut conditions = Vec::new();
    for watched in &WATCHED {
        let transfers = u64::from(scale) * TRANSFERS_A_DAY;
        conditions.push(measuring.condition(&source, watched, transfers)?);
    }
    Ok(Report {
        calls,
        events,
        rows,
        conditions,
        own_memory: memory.own(),
        memory: memory.resident(),
        machine: Machine::this(&options.recorder.jdk),
    })
}

/// A line that is executed in every transfer, and a condition on it.
struct WatchedLine {
    code: &'static str,
    condition: &'static str,
    per_transfer: u64,
}

/// In few long calls, and in very many short ones.
const WATCHED: [WatchedLine; 4] = [
    in_a_loop("number == 500"),
    in_a_loop("from == 17 && number > 990"),
    in_a_call("amount == 100000"),
    in_a_call("this.bookings < 0"),
];

const fn in_a_loop(condition: &'static str) -> WatchedLine {
    WatchedLine {
        code: "int to = (int)",
        condition,
        per_transfer: 1,
    }
}

const fn in_a_call(condition: &'static str) -> WatchedLine {
    WatchedLine {
        code: "balance += amount;",
        condition,
        per_transfer: 2,
    }
}

struct Measuring<'client> {
    client: &'client mut Client,
    calls: u64,
    seed: u64,
}

impl Measuring<'_> {
    /// A call, another one each time but the same in each measurement.
    fn some_call(&mut self) -> u64 {
        self.seed = self.seed * 48271 % 2_147_483_647;
        self.seed % self.calls
    }

    /// Stands somewhere in the run.
    fn go_somewhere(&mut self) -> Result<(), BenchError> {
        let node = self.some_call();
        self.client.travel("askance/goTo", json!({"node": node}))
    }

    fn steps(&mut self) -> Result<Vec<Row>, BenchError> {
        let steps = [
            ("next", "a step over, *next*"),
            ("stepIn", "a step into, *stepIn*"),
            ("stepOut", "a step out, *stepOut*"),
            ("stepBack", "a step back, *stepBack*"),
            ("askance/backIn", "a step back into the call before"),
            ("askance/backOut", "a step back out of the call"),
        ];
        let mut rows = Vec::new();
        for (command, what) in steps {
            let mut costs = Vec::new();
            for _ in 0..REPEATED {
                self.go_somewhere()?;
                costs.push(
                    self.client
                        .measured(|client| client.travel(command, json!({})))?,
                );
            }
            rows.push(Row { what, costs });
        }
        Ok(rows)
    }

    fn variables(&mut self) -> Result<Vec<Row>, BenchError> {
        let (mut stacks, mut scopes, mut pages) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..REPEATED {
            self.go_somewhere()?;
            let mut frames = Vec::new();
            stacks.push(self.client.measured(|client| {
                frames = client.frames()?;
                Ok(())
            })?);
            let Some(frame) = frames.first().map(|frame| frame["id"].clone()) else {
                continue;
            };
            scopes.push(self.client.measured(|client| {
                let scopes = client.ask("scopes", json!({"frameId": frame}))?;
                for scope in scopes["scopes"].as_array().into_iter().flatten() {
                    let reference = scope["variablesReference"].clone();
                    client.ask("variables", json!({"variablesReference": reference}))?;
                }
                Ok(())
            })?);
            // The bank stands in the second frame from outside, and has a thousand accounts.
            let bank = frames.iter().rev().nth(1).map(|frame| frame["id"].clone());
            let wanted = json!({"expression": "accounts", "frameId": bank, "context": "watch"});
            let Ok(accounts) = self.client.ask("evaluate", wanted) else {
                continue;
            };
            let reference = accounts["variablesReference"].clone();
            let wanted = json!({"variablesReference": reference, "start": 400, "count": 100});
            pages.push(
                self.client
                    .measured(|client| client.ask("variables", wanted).map(drop))?,
            );
        }
        Ok(vec![
            Row {
                what: "the stack",
                costs: stacks,
            },
            Row {
                what: "all scopes of a frame, with their variables",
                costs: scopes,
            },
            Row {
                what: "a hundred elements of an array of objects",
                costs: pages,
            },
        ])
    }

    /// Who wrote the balance of some account last.
    fn last_writes(&mut self) -> Result<Row, BenchError> {
        let mut costs = Vec::new();
        while costs.len() < REPEATED {
            self.go_somewhere()?;
            let frames = self.client.frames()?;
            let frame = frames.first().map(|frame| frame["id"].clone());
            let wanted = json!({"name": "this.balance", "frameId": frame});
            let info = self.client.ask("dataBreakpointInfo", wanted)?;
            if info["dataId"].is_null() {
                continue;
            }
            costs.push(self.client.measured(|client| {
                let wanted = json!({"breakpoints": [{"dataId": info["dataId"]}]});
                client.ask("setDataBreakpoints", wanted)?;
                client.travel("reverseContinue", json!({}))
            })?);
            self.client
                .ask("setDataBreakpoints", json!({"breakpoints": []}))?;
        }
        Ok(Row {
            what: "watching a field and going back to its last write, *reverseContinue*",
            costs,
        })
    }

    fn condition(
        &mut self,
        source: &Path,
        watched: &WatchedLine,
        transfers: u64,
    ) -> Result<Condition, BenchError> {
        let line = line_of(source, watched.code)?;
        let path = source.display().to_string();
        let set =
            |breakpoints: Value| json!({"source": {"path": path}, "breakpoints": breakpoints});
        // A condition on the hits makes the adapter look all of them up, however long it takes.
        let wanted = set(json!([
            {"line": line, "condition": watched.condition, "hitCondition": ">= 1"}
        ]));
        let mut said = Value::Null;
        let cost = self.client.measured(|client| {
            said = client.ask("setBreakpoints", wanted)?;
            Ok(())
        })?;
        self.client.ask("setBreakpoints", set(json!([])))?;
        let message = said["breakpoints"][0]["message"].as_str();
        Ok(Condition {
            condition: watched.condition,
            executions: transfers * watched.per_transfer,
            hits: message.unwrap_or("not set").to_owned(),
            cost,
        })
    }
}

/// The first line of a file that has some code.
fn line_of(source: &Path, code: &str) -> Result<u64, BenchError> {
    let text = std::fs::read_to_string(source)?;
    let line = text.lines().position(|line| line.contains(code));
    let missing = || io::Error::other(format!("{} has no {code}", source.display()));
    Ok(line.ok_or_else(missing)? as u64 + 1)
}

pub fn to_markdown(report: &Report) -> String {
    let mut text = format!(
        "Made by `{COMMAND}` on {}: `askance dap` is driven over its streams as an editor drives it, in a recording of \
         {} calls and {} events whose indexes are made. Each request is made {REPEATED} times, somewhere else in the run \
         each time; median and worst, by the clock and in CPU time of the adapter. Its memory was {} MB at its peak, {} \
         MB with the mapped pages of files.\n\n\
         | what | median | worst | CPU time, median | CPU time, worst |\n|---|--:|--:|--:|--:|\n",
        report.machine.describe(),
        report.calls,
        report.events,
        report.own_memory >> 20,
        report.memory >> 20,
    );
    for row in &report.rows {
        let [clock, cpu] = [|cost: &Cost| cost.clock, |cost: &Cost| cost.cpu]
            .map(|part| sorted(row.costs.iter().map(part)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            row.what,
            middle(&clock),
            worst(&clock),
            middle(&cpu),
            worst(&cpu),
        );
    }
    text += "\nBreakpoints with a condition, looked up in the whole run.\n\n\
             | condition | executions of the line | found | time | CPU time | executions a second |\n\
             |---|--:|---|--:|--:|--:|\n";
    for one in &report.conditions {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} |",
            one.condition,
            one.executions,
            one.hits,
            milliseconds(one.cost.clock),
            milliseconds(one.cost.cpu),
            rate(one.executions, one.cost.clock),
        );
    }
    text
}

fn sorted(times: impl Iterator<Item = Duration>) -> Vec<Duration> {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times
}

fn middle(sorted: &[Duration]) -> String {
    milliseconds(sorted.get(sorted.len() / 2).copied().unwrap_or_default())
}

fn worst(sorted: &[Duration]) -> String {
    milliseconds(sorted.last().copied().unwrap_or_default())
}
