// The requests beside the protocol's that `askance dap` answers, by the addresses that the page's parts ask at, and
// what the view and the extension say to each other.

/** The adapter's name for what the page asks at an address. What is not listed is not passed on. */
export const REQUESTS: Readonly<Record<string, string>> = {
  "": "run",
  "/children": "children",
  "/diagnosis": "diagnosis",
  "/event": "event",
  "/events": "events",
  "/history": "history",
  "/lines": "coverage",
  "/node": "node",
  "/output": "output",
  "/path": "path",
  "/search": "search",
  "/session": "question",
  "/session/answer": "answer",
  "/session/ask": "ask",
  "/session/bring-back": "bringBack",
  "/session/inside": "inside",
  "/session/restart": "restart",
  "/session/revise": "revise",
  "/session/strategy": "strategy",
  "/session/transform": "transform",
  "/session/undo": "undo",
  "/source": "source",
  "/suspects": "suspects",
  "/why": "why",
};

/** What the view says. */
export type FromView =
  | { kind: "ready" }
  | { kind: "request"; id: number; what: string; given: Record<string, unknown> }
  | { kind: "go"; node: number; event: number | null }
  | { kind: "report" };

/** What can be said to the view from elsewhere. */
export type SaidElsewhere = "yes" | "no" | "unknown" | "undo";

/** What the view is told. */
export type ToView =
  | { kind: "answer"; id: number; value: unknown }
  | { kind: "refusal"; id: number; sentence: string }
  | { kind: "changed"; revision: number }
  | { kind: "show"; panel: "history" | "why"; variable: string; node: number; event: number | null }
  | { kind: "say"; said: SaidElsewhere };

function isNumberOrNull(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}

/** Reads what a view has sent; anything else than what it may send is nothing. */
export function readFromView(message: unknown): FromView | null {
  if (typeof message !== "object" || message === null || !("kind" in message)) return null;
  const said = message as Record<string, unknown>;
  switch (said.kind) {
    case "ready":
    case "report":
      return { kind: said.kind };
    case "go":
      return typeof said.node === "number" && isNumberOrNull(said.event) ? { kind: "go", node: said.node, event: said.event } : null;
    case "request": {
      const { id, what, given } = said;
      if (typeof id !== "number" || typeof what !== "string" || !Object.hasOwn(REQUESTS, what)) return null;
      if (typeof given !== "object" || given === null || Array.isArray(given)) return null;
      return { kind: "request", id, what, given: given as Record<string, unknown> };
    }
    default:
      return null;
  }
}
