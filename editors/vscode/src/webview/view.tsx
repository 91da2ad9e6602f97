// The view of the question inside VS Code: the page's parts, put together for a narrow place.

import { render } from "preact";
import { useEffect } from "preact/hooks";

import { AliveMenu } from "../../../../web-ui/src/alive";
import { Answers } from "../../../../web-ui/src/answers";
import { HistoryPane } from "../../../../web-ui/src/history";
import { sessionKey } from "../../../../web-ui/src/keys";
import { OriginPane } from "../../../../web-ui/src/origin";
import { notedBy, place, settle } from "../../../../web-ui/src/place";
import type { Panel } from "../../../../web-ui/src/place";
import { QuestionPanel } from "../../../../web-ui/src/question";
import { answer, api, info, listen, message, session, take, tell, undo } from "../../../../web-ui/src/store";
import type { FromView, ToView } from "../requests";
import { Messages } from "./messages";
import "../../../../web-ui/src/colours.css";
import "../../../../web-ui/src/style.css";
import "./view.css";

declare function acquireVsCodeApi(): { postMessage(message: FromView): void };

const TABS: { panel: Panel; word: string }[] = [
  { panel: "events", word: "Question" },
  { panel: "history", word: "History" },
  { panel: "why", word: "Where from" },
];

function Tabs() {
  const { panel, variable } = place.value;
  return (
    <div class="head tabs" role="tablist" aria-label="What is shown">
      {TABS.map((tab) => (
        <button role="tab" aria-selected={panel === tab.panel} class={panel === tab.panel ? "selected" : ""} onClick={() => settle({ panel: tab.panel })}>
          {tab.word}
        </button>
      ))}
      {variable !== null && panel !== "events" && (
        <code class="clip variable" title={variable}>
          {variable}
        </code>
      )}
    </div>
  );
}

function pressed(event: KeyboardEvent): void {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target instanceof HTMLElement && target.closest("input, select, textarea")) return;
  const action = sessionKey(event.key);
  if (action === undefined) return;
  event.preventDefault();
  action();
}

function View() {
  useEffect(() => {
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  const { panel } = place.value;
  return (
    <>
      <Tabs />
      <p class="message" role="alert" hidden={message.value === null}>
        {message.value}
      </p>
      <div class="view-body">
        {panel === "history" ? (
          <HistoryPane />
        ) : panel === "why" ? (
          <OriginPane />
        ) : (
          <>
            <QuestionPanel />
            {(session.value?.answers.length ?? 0) > 0 && <Answers />}
          </>
        )}
      </div>
      <AliveMenu />
    </>
  );
}

function Idle() {
  return (
    <p class="empty-state" data-testid="idle">
      Nothing is debugged yet. Click <strong>Find the bug</strong> above a main method or a test in a Java file, or open a trace: the question
      comes here.
    </p>
  );
}

/** Who goes to a call is shown it by the debugger; what is told of values, the view shows itself. */
function follow(host: ReturnType<typeof acquireVsCodeApi>): void {
  notedBy(({ node, event, panel, report }, isStep) => {
    if (!isStep) return;
    if (report === true) {
      host.postMessage({ kind: "report" });
      // It stands in an editor: the view stays as it is.
      queueMicrotask(() => settle({ report: false }));
    } else if (node != null && (panel === undefined || panel === "events")) {
      host.postMessage({ kind: "go", node, event: event ?? null });
    }
  });
}

async function start(root: HTMLElement): Promise<void> {
  const host = acquireVsCodeApi();
  const messages = new Messages(host);
  window.addEventListener("message", ({ data }: MessageEvent<ToView>) => {
    messages.take(data);
    if (data.kind === "show") {
      const { panel, variable, node, event } = data;
      settle({ panel, variable, variableOf: node, node, event });
    }
    if (data.kind === "say") void (data.said === "undo" ? undo() : answer(data.said));
  });
  if (root.dataset.active !== "true") {
    render(<Idle />, root);
    host.postMessage({ kind: "ready" });
    return;
  }
  api.connect(messages);
  follow(host);
  render(<View />, root);
  try {
    info.value = await api.info();
    take(await api.session(), false);
    void listen();
    host.postMessage({ kind: "ready" });
  } catch (error) {
    tell(error);
  }
}

const root = document.getElementById("app");
if (root !== null) void start(root);

