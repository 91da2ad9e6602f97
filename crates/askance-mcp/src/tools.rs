//! The tools, and what an agent reads of them before it uses them.

use std::sync::Arc;

use debug_engine::session::Confidence;
use rmcp::handler::server::tool::ToolCallContext;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, Json, RoleServer, ServerHandler, tool, tool_handler, tool_router};

use super::answers::{
    Answers, CallTold, Closed, Opened, RecordedRun, SourceTold, Step, TraceName, Traces,
};
use super::requests::{
    AnswerGiven, AtRevision, In, InSession, InsideWanted, NodeWanted, OpenWanted, PageWanted,
    RecordWanted, SearchChosen, UndoWanted,
};
use super::{Server, economy, step};
use askance_api::RunSnapshot;
use askance_api::diagnosis::{DiagnosisReport, report_on};
use askance_api::events::{self, Events, events};
use askance_api::failure::ApiError;
use askance_api::history::{self, HistoryPage, history};
use askance_api::node::{self, Where};
use askance_api::output::{self, OutputRows};
use askance_api::query::{QueryAnswer, QueryRequest, query};
use askance_api::questioning::{SharedQuestioning, Speaker};
use askance_api::search::{self, Search, SearchHits};
use askance_api::session::{Saying, SessionRequest, say};
use askance_api::suspects::{self, SuspectList};
use askance_api::tree::{self, ChildPage};
use askance_api::why::{Asked, Why, why};
use inquiry::command::Command;

const INSTRUCTIONS: &str = "Askance has recorded a run of a Java program as a tree of calls. One of the calls is \
to blame for what went wrong: its own result or effect is wrong although everything that it called is right. \
open_trace opens a session, whose number every other tool takes, and gives the first question: did this call, with \
these arguments and this state, do what it should? Judge the behaviour that is shown against what the method is \
meant to do, not against what its code says. Answer with the revision that came with the question and with your \
confidence; unknown is an honest answer. show_call, source, events, history and why tell more before you answer. \
When the state is `found` or `found_method`, diagnosis names the call or the method, and its lines. If that is not \
the bug, revise asks the least certain answer again. What a person has said stands: you cannot overrule it.";

/// No more of a method's source than this is told.
const LONGEST_SOURCE: usize = 20_000;

// The tools write their results out: the macro takes the schema from there.
type Told<T> = Result<Json<T>, String>;

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("askance", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = self.tool_router.list_all().into_iter();
        Ok(ListToolsResult::with_all_items(
            tools.map(economy::listed).collect(),
        ))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let protocol = context.protocol_version();
        let call = ToolCallContext::new(self, request, context);
        Ok(match self.tool_router.call(call).await? {
            CallToolResponse::Complete(result) => {
                CallToolResponse::Complete(economy::once(result, protocol.as_ref()))
            }
            other => other,
        })
    }
}

#[tool_router(vis = "pub(super)")]
impl Server {
    #[tool(
        description = "The traces that can be opened, with the sessions that are open",
        annotations(read_only_hint = true)
    )]
    async fn list_traces(&self) -> Result<Json<Traces>, String> {
        let traces = self.workplace.traces().into_iter().map(|trace| TraceName {
            session: self.sessions.about(&trace),
            trace,
        });
        Ok(Json(Traces {
            traces: traces.collect(),
            may_record: self.workplace.may_record(),
        }))
    }

    #[tool(
        description = "Run a Java program, record every call, and give the name of the trace to open"
    )]
    async fn record(
        &self,
        Parameters(wanted): Parameters<RecordWanted>,
    ) -> Result<Json<RecordedRun>, String> {
        let workplace = Arc::clone(&self.workplace);
        blocking(move || workplace.record(&wanted)).await
    }

    #[tool(
        description = "Open a trace: gives the session's number and the first question. \
        Goes on with the answers that the trace remembers"
    )]
    async fn open_trace(
        &self,
        Parameters(wanted): Parameters<OpenWanted>,
    ) -> Result<Json<Opened>, String> {
        let (workplace, sessions) = (Arc::clone(&self.workplace), Arc::clone(&self.sessions));
        blocking(move || {
            if let Some(number) = sessions.about(&wanted.trace) {
                return Err(format!(
                    "{} is open as session {number}; next_question goes on there, close_session ends it",
                    wanted.trace
                ));
            }
            let slot = workplace.open(&wanted)?;
            let run = slot.known().map_err(|error| error.text())?;
            let session = sessions.add(&wanted.trace, slot);
            let file = run.java().ok().and_then(|java| java.run_file());
            Ok(Opened {
                calls: run.recording().len(),
                command: file.map(|file| file.command.join(" ")),
                recorded: run.is_recorded(),
                failed: step::failed_test(&run),
                step: step::next_step(session, &run),
            })
        })
        .await
    }

    #[tool(description = "Close a session; its answers are kept in the trace")]
    async fn close_session(
        &self,
        Parameters(InSession { session }): Parameters<InSession>,
    ) -> Result<Json<Closed>, String> {
        match self.sessions.close(session) {
            true => Ok(Json(Closed { session })),
            false => Err(format!("there is no session {session}")),
        }
    }

    #[tool(
        description = "The open question of a session, or how it ended",
        annotations(read_only_hint = true)
    )]
    async fn next_question(
        &self,
        Parameters(InSession { session }): Parameters<InSession>,
    ) -> Result<Json<Step>, String> {
        self.look(session, move |run| Ok(step::next_step(session, run)))
            .await
    }

    #[tool(
        description = "Answer the open question, or judge another call; gives the next question. \
        A person's answer cannot be overruled"
    )]
    async fn answer(
        &self,
        Parameters(given): Parameters<AnswerGiven>,
    ) -> Result<Json<Step>, String> {
        let confidence =
            match given.confidence {
                None => None,
                Some(share) => Some(Confidence::from_share(share).ok_or_else(|| {
                    format!("{share} is no confidence; it is a number from 0 to 1")
                })?),
            };
        let least = self.workplace.least_confidence();
        let is_sure = confidence.unwrap_or(Confidence::UNSAID) >= least;
        if !is_sure && !matches!(given.answer, SessionRequest::Unknown) {
            return Err(format!(
                "answers here must be at least {least} sure; say unknown, and a person is asked"
            ));
        }
        let said = Saying {
            revision: given.revision,
            answer: given.answer,
            path: given.path,
            node: given.node,
        };
        let by = Speaker {
            confidence,
            ..Speaker::AGENT
        };
        self.change(given.session, move |run, questioning| {
            say(run, questioning, &said, by)
        })
        .await
    }

    #[tool(description = "Take back your last answer, or the one at a place of the list")]
    async fn undo(&self, Parameters(wanted): Parameters<UndoWanted>) -> Result<Json<Step>, String> {
        self.change(wanted.session, move |run, questioning| {
            let command = match (wanted.place, wanted.trust) {
                (_, Some(number)) => Command::TakeBackTrust(Some(run.node(number)?)),
                (Some(place), None) => Command::TakeBack(place),
                (None, None) => Command::Undo,
            };
            questioning.apply(Some(wanted.revision), command, Speaker::AGENT)
        })
        .await
    }

    #[tool(
        description = "After a diagnosis that is not right: take back the least certain answer, which is asked \
        again. What people said is not doubted"
    )]
    async fn revise(&self, Parameters(at): Parameters<AtRevision>) -> Result<Json<Step>, String> {
        self.change(at.session, move |_, questioning| {
            questioning.apply(Some(at.revision), Command::Revise, Speaker::AGENT)
        })
        .await
    }

    #[tool(description = "Make a call the next question")]
    async fn ask_about(
        &self,
        Parameters(at): Parameters<In<NodeWanted>>,
    ) -> Result<Json<Step>, String> {
        self.change(at.session, move |run, questioning| {
            let command = Command::AskAbout(run.node(at.wanted.node)?.into());
            questioning.apply(None, command, Speaker::AGENT)
        })
        .await
    }

    #[tool(description = "Change how the next question is chosen; answers stay")]
    async fn search_by(
        &self,
        Parameters(chosen): Parameters<SearchChosen>,
    ) -> Result<Json<Step>, String> {
        if chosen.strategy.is_none() && chosen.transform.is_none() {
            return Err("name a strategy or transformations".to_owned());
        }
        self.change(chosen.session, move |_, questioning| {
            if let Some(name) = chosen.strategy {
                questioning.apply(None, Command::Strategy(name), Speaker::AGENT)?;
            }
            if let Some(list) = chosen.transform {
                questioning.apply(None, Command::Transform(list), Speaker::AGENT)?;
            }
            Ok(())
        })
        .await
    }

    #[tool(
        description = "Once a call is found: go on inside it, down to the statement to blame. What is asked there \
        stands under `inside`"
    )]
    async fn look_inside(
        &self,
        Parameters(told): Parameters<InsideWanted>,
    ) -> Result<Json<Step>, String> {
        self.change(told.session, move |_, questioning| {
            questioning.apply(Some(told.revision), told.said.into(), Speaker::AGENT)
        })
        .await
    }

    #[tool(
        description = "The answers so far, with who gave them and how sure they were; by pages",
        annotations(read_only_hint = true)
    )]
    async fn answers(
        &self,
        Parameters(page): Parameters<In<PageWanted>>,
    ) -> Result<Json<Answers>, String> {
        self.look(page.session, move |run| {
            Ok(step::answers(run, &page.wanted))
        })
        .await
    }

    #[tool(
        description = "A call: arguments, result, what it changed, its callers; with `event`, state and locals \
        right after it",
        annotations(read_only_hint = true)
    )]
    async fn show_call(
        &self,
        Parameters(at): Parameters<In<Where>>,
    ) -> Result<Json<CallTold>, String> {
        self.look(at.session, move |run| {
            Ok(CallTold::of(node::at(run, &at.wanted)?, &at.wanted))
        })
        .await
    }

    #[tool(
        description = "A window of the execution tree: a page of the calls that a call made, or of the roots",
        annotations(read_only_hint = true)
    )]
    async fn children(
        &self,
        Parameters(page): Parameters<In<tree::ChildrenRequest>>,
    ) -> Result<Json<ChildPage>, String> {
        self.look(page.session, move |run| {
            tree::children_of(run, &page.wanted)
        })
        .await
    }

    #[tool(
        description = "Calls by a part of their name, or with `values` by what their line shows; by pages",
        annotations(read_only_hint = true)
    )]
    async fn search(
        &self,
        Parameters(wanted): Parameters<In<Search>>,
    ) -> Result<Json<SearchHits>, String> {
        self.look(wanted.session, move |run| {
            search::found(run, &wanted.wanted)
        })
        .await
    }

    #[tool(
        description = "What happened inside a call, event by event: lines, local variables, writes, calls; by pages",
        annotations(read_only_hint = true)
    )]
    async fn events(
        &self,
        Parameters(page): Parameters<In<events::EventsRequest>>,
    ) -> Result<Json<Events>, String> {
        self.look(page.session, move |run| events(run, &page.wanted))
            .await
    }

    #[tool(
        description = "What the program printed, each line with the call and the line of source that printed it; by pages",
        annotations(read_only_hint = true)
    )]
    async fn output(
        &self,
        Parameters(page): Parameters<In<output::OutputRequest>>,
    ) -> Result<Json<OutputRows>, String> {
        self.look(page.session, move |run| output::output(run, &page.wanted))
            .await
    }

    #[tool(
        description = "The methods likeliest to be to blame, with what speaks against each; none is proven",
        annotations(read_only_hint = true)
    )]
    async fn suspects(
        &self,
        Parameters(wanted): Parameters<In<suspects::SuspectsRequest>>,
    ) -> Result<Json<SuspectList>, String> {
        self.look(wanted.session, move |run| {
            suspects::of_session(run, &wanted.wanted)
        })
        .await
    }

    #[tool(
        description = "SQL over the run: tables call, argument, write, line, object, throw, output, test; \
        `DESCRIBE call` has columns",
        annotations(read_only_hint = true)
    )]
    async fn query(
        &self,
        Parameters(wanted): Parameters<In<QueryRequest>>,
    ) -> Result<Json<QueryAnswer>, String> {
        self.look(wanted.session, move |run| query(run, &wanted.wanted))
            .await
    }

    #[tool(
        description = "Every write to a variable, e.g. obj#12.size, arr#7[2], Main.total or 12:i (a local of \
        call 12); by pages",
        annotations(read_only_hint = true)
    )]
    async fn history(
        &self,
        Parameters(page): Parameters<In<history::HistoryRequest>>,
    ) -> Result<Json<HistoryPage>, String> {
        self.look(page.session, move |run| history(run, &page.wanted))
            .await
    }

    #[tool(
        description = "Where a value came from: the steps that computed it, backwards",
        annotations(read_only_hint = true)
    )]
    async fn why(&self, Parameters(asked): Parameters<In<Asked>>) -> Result<Json<Why>, String> {
        self.look(asked.session, move |run| why(run, &asked.wanted))
            .await
    }

    #[tool(
        description = "The source of a call's method",
        annotations(read_only_hint = true)
    )]
    async fn source(
        &self,
        Parameters(of): Parameters<In<NodeWanted>>,
    ) -> Result<Json<SourceTold>, String> {
        self.look(of.session, move |run| {
            let node = run.node(of.wanted.node)?;
            let code = run.recording().code_of(node);
            let text = run.recording().source(node, &[]);
            Ok(SourceTold {
                routine: code.routine,
                file: code.file,
                text: text.map(|text| text.chars().take(LONGEST_SOURCE).collect()),
            })
        })
        .await
    }

    #[tool(
        description = "What was found: the call to blame with its lines, or the suspects left; which answers \
        contradict each other",
        annotations(read_only_hint = true)
    )]
    async fn diagnosis(
        &self,
        Parameters(InSession { session }): Parameters<InSession>,
    ) -> Result<Json<DiagnosisReport>, String> {
        self.look(session, |run| report_on(run).map(DiagnosisReport::in_short))
            .await
    }
}

impl Server {
    /// Looks something up in a session.
    async fn look<T: Send + 'static>(
        &self,
        session: u32,
        work: impl FnOnce(&RunSnapshot) -> Result<T, ApiError> + Send + 'static,
    ) -> Told<T> {
        let slot = self.sessions.slot(session)?;
        blocking(move || {
            let run = slot.known().map_err(|error| error.text())?;
            work(&run).map_err(|error| error.text())
        })
        .await
    }

    /// Changes a session and tells where it stands then.
    async fn change<T>(
        &self,
        session: u32,
        change: impl FnOnce(&RunSnapshot, &mut SharedQuestioning) -> Result<T, ApiError>
        + Send
        + 'static,
    ) -> Told<Step> {
        let slot = self.sessions.slot(session)?;
        blocking(move || {
            let run = slot.change(|run, questioning| change(run, questioning).map(drop));
            let run = run.map_err(|error| error.text())?;
            Ok(step::next_step(session, &run))
        })
        .await
    }
}

/// Does work on a trace on a thread that may take its time.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Told<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map(Json),
        Err(error) => {
            tracing::error!(%error, "a tool failed");
            Err("this could not be worked out: a mistake in Askance".to_owned())
        }
    }
}
