// What the server's JSON interface takes and gives. Written from the Rust types of `crates/askance-api` by its test
// `contract`, which fails where the two differ; not to be changed by hand.

export interface About {
  node: number;
}

/** Who gave an answer. */
export type AnswerSource = "person" | "reference" | "memory" | "trusted" | "tests" | "command" | "agent" | "run";

export interface AnswerView {
  by_person: boolean;
  judgement: Judgement;
  last: number | null;
  line: string;
  /** The call, or the first of the calls that it is about. */
  node: number | null;
  /** A later answer about the same has taken its place. */
  overruled: boolean;
  /** The call that made them. */
  parent: number | null;
  /** Its place in the log: what takes it back. */
  place: number;
  source: string;
  word: string;
}

export interface Asked {
  /** Follow decisions too. */
  control?: boolean;
  /** The call at whose end the value is looked at. */
  node: number;
  /** The value, e.g. `return`, `this.items[2].price` or the name of a local variable. */
  path: string;
  /** How many steps back at most. */
  steps?: number;
}

/** Is the behaviour of this node, or of these siblings taken together, the intended one? */
export interface AskedQuestion {
  /**
   * Further calls that the same question is about, each for itself: is one of these wrong? Empty unless the
   * target is a node. None of them lies inside another, nor in the target.
   */
  beside?: NodeId[];
  /** Whether it is a call, or several that were put together. */
  kind: NodeKind;
  /** Where in a recursion it is. */
  level: string | null;
  /** What is asked about in one line. */
  line: string;
  /** Where the question is about a list of calls: each of them in one line, in the list's order. */
  list?: ListedCall[];
  /** The node in question; the first one, if it is about several siblings. */
  node: NodeId;
  /** The call that made what is asked about. */
  parent: number | null;
  /** The question in words. */
  prompt: string;
  /** About how many questions are still to come, this one included. */
  questions_left_estimate: number;
  /** Why this node is asked about. */
  reason: Reason;
  /** The same, laid out as the terminal does it. */
  sheet: Sheet;
  /** Suspects that are left if the answer is no. */
  suspects_after_no: number;
  /** Suspects that are left if the answer is yes. */
  suspects_after_yes: number;
  /** Suspects that are in play now. */
  suspects_left: number;
  /**
   * What the question is about. A stretch of siblings comes up only with a strategy or a transformation that
   * makes such questions, on a tree that says which siblings are chained.
   */
  target: Target;
  /** What calls weigh to the strategy, if it halves weights. */
  weights?: Weights;
  /** Why it is asked, if more than the number of suspects decided. */
  why?: string;
}

/** One of the calls that are taken together. */
export interface CallLine {
  node: NodeId;
  text: string;
}

export interface Caller {
  node: number;
  routine: string;
}

/** What was left changed. */
export interface ChangeLine {
  after: string;
  before: string;
  /** Who else wrote it while the call ran. */
  meanwhile?: ConcurrentWrite;
  path: string;
}

/** How a value differs between entry and exit. */
export type Changed = "none" | "changed" | "inside";

/** A page of children. */
export interface ChildPage {
  /** How many there are in all. */
  count: number;
  from: number;
  of: number | null;
  /** Fewer than asked for if there are no more, or if it took long to find out what they did. */
  rows: TreeRow[];
}

/** A part of a value. */
export interface ChildView {
  /** Where in the value it is. */
  label: Label;
  /**
   * Whether the call that the value is shown for may have read or written this part. Of the others it is
   * certain that it did not, so a short view leaves them out first.
   */
  used?: boolean;
  /** What is there. */
  value: ValueView;
}

export interface ChildrenRequest {
  /** How many to leave out. */
  from?: number;
  /** How many at most. */
  most?: number;
  /** Whose children; without it, the roots. */
  of?: number;
}

/**
 * A write that happened while a call ran and does not belong to it: neither the call nor anything below it,
 * handed-over work included, made it.
 */
export interface ConcurrentWrite {
  /** The call that wrote, if a recorded one did. */
  node?: NodeId;
  /** That call's routine. */
  routine?: string;
  /** The name of the thread that wrote. */
  thread: string;
}

/** An answer that did not last. */
export interface Contradicted {
  /** The call, or the first of the calls that it is about. */
  node: number;
  now: string;
  now_source: string;
  said: string;
  source: string;
}

export interface Culprit {
  executed: number[];
  /** What the call should have returned, where the failed assertion tells that. */
  expected?: string;
  file: string | null;
  line?: string;
  /** The narrowest set of lines that holds the bug. */
  lines: number[];
  /** The call; none if it is a method of which no single call is to blame. */
  node: number | null;
  /** The piece of the call that was found after it: `iteration 3 of the loop in lines 12–16`. */
  piece?: string;
  routine: string;
  slice: number[];
  /** The method with the lines to blame pointed at. */
  source: string | null;
  /** The call on several lines. */
  text: string;
  /** The value that was called wrong, if one was. */
  wrong?: WrongValue;
}

/** How a session ended, in one word. */
export type DiagnosisKind = "found" | "found_method" | "suspects" | "none";

/** How the session ended. */
export interface DiagnosisReport {
  /** Answers that later ones contradict. */
  contradicted: Contradicted[];
  culprit: Culprit | null;
  markdown?: string;
  outcome: DiagnosisKind;
  suspects: Suspect[];
  /** How many there are in all. */
  suspects_left: number;
}

export type Direction = "next" | "back" | "into" | "out";

export interface Doubt {
  revision: number;
}

/** A block as a short list, because there are thousands. */
export type Drawn = [number, number, number, Judgement | null, number | null];

export interface Ended {
  /** The call in one line, or why a method is to blame. */
  line: string;
  node: number | null;
  outcome: DiagnosisKind;
}

/** An event in one line. */
export interface EventRow {
  /** The call that it made, if it is one. */
  calls: number | null;
  changes?: VariableChange;
  event: number;
  kind: string;
  line: number | null;
  text: string;
}

export interface EventSearch {
  /** The first event to look at. */
  from?: number;
  node: number;
  /** A part of what the event list says. */
  text: string;
}

/** A page of events. */
export interface Events {
  events: EventRow[];
  /** Whether there are events after these. */
  more: boolean;
  node: number;
  note: string | null;
}

export interface EventsRequest {
  /** Events that change this variable are marked. */
  changes?: string;
  /** The first event of the page. */
  from?: number;
  /** How many at most. */
  most?: number;
  /** The call. */
  node: number;
}

export interface ExecutedInstruction {
  /** How many instructions of the call ran before it. */
  instruction: number;
  node: number;
}

export interface Execution {
  event: number;
  values: string[];
}

/** The next event that a search has found. */
export interface FoundEvent {
  event: number | null;
  /** Where to go on, if nothing was found and not everything was looked at. */
  next: number | null;
}

export interface From {
  /** The first byte; without it, the last piece. */
  from?: number;
}

/** A value that was there before. */
export interface Given {
  /** Whether it was different afterwards. */
  changed?: Changed;
  name: string;
  text: string;
}

/** A page of a variable's history. */
export interface HistoryPage {
  /** Writes that are left out before these. */
  from: number;
  initially: string | null;
  /** The last write up to the moment that was named, by its number. */
  last?: number;
  more: boolean;
  note: string | null;
  several_threads: boolean;
  variable: string;
  writes: Write[];
}

export interface HistoryRequest {
  /** The moment: this call's end, or one of its events. */
  at?: number;
  at_event?: number;
  /** Writes to leave out; without it, so many that those around a moment are shown, if one is named. */
  from?: number;
  /** How many at most. */
  most?: number;
  /** The call whose variables can be named without it. */
  node?: number;
  /** As `askance history` takes it. */
  variable: string;
}

/** Where an instruction is in the event list. */
export interface InList {
  /** The first event that it, or what ran after it, is seen by. */
  event: number | null;
}

/** What can be said about a piece of a call. */
export type InsideRequest = "yes" | "no" | "unknown" | "undo" | "begin" | "leave";

export type InsideStep = {
  ask: PieceAsked;
} | {
  done: PieceFound;
};

/** Where the search in a call stands. */
export interface InsideView {
  answers: PieceAnswer[];
  node: number;
  step: InsideStep;
}

/** The state of an execution node. */
export type Judgement = "undefined" | "correct" | "wrong" | "trusted" | "inadmissible" | "unknown";

/** The place of a part in its value. */
export type Label = {
  field: string;
} | {
  index: number;
} | {
  key: string;
};

/** A page of calls to code that was not recorded. */
export interface LibraryPage {
  calls: LibraryRow[];
  /** The event to go on from, if there may be more. */
  next: number | null;
  /** Why there are none. */
  note: string | null;
  of: number;
}

export interface LibraryRequest {
  /** The last recorded call before them; without it, from the beginning. */
  after?: number;
  /** The event to go on from; without it, those right after a recorded call. */
  event?: number;
  /** How many at most. */
  most?: number;
  /** The call that made them. */
  of: number;
  /** None behind the recorded call that follows this one. */
  until?: number;
}

/** A call to code that was not recorded, in one line. */
export interface LibraryRow {
  /** The last recorded call that the caller had made before it. */
  after: number | null;
  /** The event of the caller. */
  event: number;
  line: number | null;
  text: string;
}

export interface LineExecuted {
  /** The event with which its last execution began. */
  event: number;
  line: number;
  times: number;
  /** What was assigned or returned there last, each in a few words. */
  values: string[];
}

/** The lines that a call executed up to a moment. */
export interface LinesExecuted {
  /** Whether the walk came to the moment. */
  complete: boolean;
  /** Every execution of the line that was asked for, in the whole call. */
  executions?: Execution[];
  lines: LineExecuted[];
  node: number;
}

export interface LinesRequest {
  /** Up to this event; without it, up to the end. */
  event?: number;
  /** The line whose executions are listed. */
  line?: number;
  /** The call. */
  node: number;
}

/** A call of a list. */
export interface ListedCall {
  line: string;
  node: number;
}

/** The classes of a file as rows, one a line of `text`. */
export interface ListingView {
  /** Of each row, the line of the file that it is about. */
  lines: (number | null)[];
  /** The first row of the call's method, and the one behind its last. */
  method: [number, number];
  text: string;
}

/** A piece of what the program said. */
export interface LiveOutputPiece {
  from: number;
  /** Whether there is more already. */
  more: boolean;
  /** Where to go on. */
  next: number;
  text: string;
}

export interface Mark {
  judgement: Judgement;
  node: number;
}

/** A method's source. */
export interface MethodSource {
  /** Lines that this call executed itself. */
  executed: number[];
  /** The file's name, if the class file has one. */
  file: string | null;
  /** What the class files tell, if it was not. */
  listing?: ListingView;
  /** Lines of the method. */
  method: number[];
  /** The call. */
  node: number;
  /** Why something is missing. */
  note: string | null;
  routine: string;
  /** The file's text, if it was found. */
  text: string | null;
  /** Conditions of it that went one way only, with what therefore never ran in this call. */
  untaken: UntakenView[];
}

export interface MomentRequest {
  /** The call. */
  node: number;
  /** A time of the run, as queries give it. */
  time: number;
}

export interface Moved {
  node: number;
  /** The snapshot that the number is from. */
  snapshot: number;
}

export interface Named {
  name: string;
}

/** Something that can be chosen by name. */
export interface NamedChoice {
  explanation: string;
  name: string;
}

/** A variable with its state at the call's entry and exit. */
export interface NamedState {
  /** At exit; `None` if the call is open or the value cannot have changed. */
  after: ValueView | null;
  /** At entry. */
  before: ValueView;
  /** Its name; a made-up one if the class file has none. */
  name: string;
}

/** A variable at one moment. */
export interface NamedValue {
  /** Its name. */
  name: string;
  /** What it holds. */
  value: ValueView;
}

export interface Node {
  node: number;
}

/** A node of the execution tree: its number in preorder, counted from 0. */
export type NodeId = number;

/** What a node of the generalized execution tree stands for. */
export type NodeKind = "routine" | "projection" | "collapse" | "loop" | "iteration" | "statement";

/** The way from a root to a node, or the last part of it. */
export interface NodePath {
  /** Calls above the first step. */
  above: number;
  /** The caller of the first step. */
  below: number | null;
  /** The nodes down to the node itself, each with its place among its siblings. */
  steps: WayStep[];
}

/** A call at a moment. */
export interface NodeShown {
  /** The arguments, in order. */
  arguments: NamedState[];
  /** Whether the recording of its beginning was given up: what it did until then is not known. */
  began_before_kept?: boolean;
  /** Calls below it. */
  below: number;
  /** The callers, nearest first, as far as they are listed. */
  callers: Caller[];
  /** The class, with its package. */
  class: string;
  complete: boolean;
  /** The class whose method it is, where the receiver's class has another one of the same name. */
  declared_by?: string;
  depth: number;
  descriptor: string;
  /** What the author says of the routine: the first sentence of its comment. */
  doc?: string;
  /** Objects that the call changed and that lie further away than values are followed, by their names. */
  elsewhere?: NamedState[];
  /** The event, if it was asked for. */
  event: EventRow | null;
  /** Source file, if known. */
  file: string | null;
  /** What whoever judges it should think of: that it may have been given something impossible. */
  guidance?: string;
  /** Who said it. */
  judged_by: AnswerSource | null;
  /** What has been said about it. */
  judgement: Judgement;
  /** First line of the method, if known. */
  line: number | null;
  /** Local variables right after the event; without one, what each held last. */
  locals: NamedValue[];
  /** The method's own name. */
  method: string;
  /** The node. */
  node: NodeId;
  /** What cannot be shown, and why. */
  note: string | null;
  /** How the call ended. */
  outcome: OutcomeView;
  /**
   * Whether something that it handed over went on after it had ended: its state after is that when all of it
   * had ended.
   */
  outlived?: boolean;
  /** The routine as a person would name it, for example `MergeSort.merge`. */
  routine: string;
  /** Static variables that the call changed. */
  statics: NamedState[];
  /** Where it ran, if another call handed it over. */
  submitted?: Submitted;
  /** Whether the bug can still be in it. */
  suspect: boolean;
  /** Suspects in its subtree. */
  suspects: number;
  /** The receiver of an instance method. */
  this: StateView | null;
  /** That something which belongs here could not be read, with the reason. */
  unreadable?: string;
  /** How far values were followed. */
  width: number;
}

export interface Of {
  node: number;
}

/** How a call ended. */
export type OutcomeView = "void" | {
  returned: ValueView;
} | {
  thrown: ValueView;
} | "open" | "program-ended";

export interface OutputRequest {
  /** The first row of the page, counted from 0. */
  from?: number;
  /** How many at most. */
  most?: number;
}

/** A line that was printed, or what stands in the place of some. */
export interface OutputRow {
  /** How much is not shown. */
  bytes?: number;
  /** Whether that is not the whole line. */
  cut?: boolean;
  /** Who printed it, in order. */
  from: Printer[];
  kind: OutputRowKind;
  /** The number of the line in its stream, counted from 1. */
  line?: number;
  /** How many more had a part in it. */
  others?: number;
  row: number;
  stream?: OutputStream;
  /** Without what ends the line. */
  text?: string;
}

/** What stands in a row of the output. */
export type OutputRowKind = "line" | "binary" | "left out";

/** A page of what was printed. */
export interface OutputRows {
  error_bytes: number;
  /** The row with which to go on, if there are more. */
  next: number | null;
  /** Bytes that were printed in all, kept or not. */
  output_bytes: number;
  /** Whether the recorder kept what was printed: older ones did not. */
  recorded: boolean;
  rows: OutputRow[];
}

/** Where something was printed to. */
export type OutputStream = "output" | "error";

/** A picture. */
export interface Overview {
  /** The callers of the call at the top, nearest first. */
  callers: Caller[];
  from: number;
  /** Judged calls in sight, however narrow. */
  marks: Mark[];
  /** What blocks are called. */
  names: string[];
  rows: Drawn[][];
  to: number;
  top: number | null;
}

export interface OverviewRequest {
  /** How many blocks can be told apart side by side, and below each other. */
  columns: number;
  from?: number;
  rows: number;
  to?: number;
  /** The call in the first row; without it, everything. */
  top?: number;
}

export type Phase = "recording" | "indexing" | "complete" | "failed";

export interface PieceAnswer {
  judgement: Judgement;
  line: string;
  word: string;
}

export interface PieceAsked {
  lines: number[];
  prompt: string;
  questions_left_estimate: number;
  sheet: Sheet;
  /** Pieces that can still hold the bug. */
  suspects_left: number;
}

export interface PieceFound {
  lines: number[];
  title: string;
}

/** A place that printed. */
export interface Printer {
  file?: string;
  /** The line of the source; absent if it is not known. */
  line?: number;
  /** The innermost recorded call; absent if none was open. */
  node?: number;
  routine?: string;
  /** Absent for a thread that ran no recorded code. */
  thread?: string;
}

/** How far recording and indexing are. */
export interface Progress {
  /** Bytes recorded so far. */
  bytes: number;
  /** Calls that can be asked about so far. */
  calls: number;
  /** How much of the index is made, of 1. */
  indexed: number | null;
  phase: Phase;
  seconds: number;
  /** What went wrong, or how it ended. */
  sentence: string | null;
}

/** The rows that a query found. */
export interface QueryAnswer {
  /** Their names; none if there is no row. */
  columns: string[];
  /** Whether there are more. */
  more: boolean;
  /** Numbers, texts, booleans and nulls, as the columns have them. */
  rows: unknown[][];
}

/** The tables and views that a query can name. */
export interface QueryCatalogue {
  tables: QueryTable[];
  views: QueryView[];
}

export interface QueryColumn {
  about: string;
  /** As SQL calls its type. */
  kind: string;
  name: string;
}

export interface QueryRequest {
  most?: number;
  sql: string;
}

export interface QueryTable {
  /** What a row is. */
  about: string;
  columns: QueryColumn[];
  name: string;
}

/** A query that comes with Askance. */
export interface QueryView {
  /** What it shows. */
  about: string;
  name: string;
}

/** Why a question is asked. */
export type Reason = "strategy" | "requested" | "presumed" | "set-up" | "confirmation";

export type Restart = Record<string, never>;

/** The lines of a routine that take part in a slice. */
export interface RoutineLines {
  /** Source file, if known. */
  file: string | null;
  /** Its lines, sorted. */
  lines: number[];
  /** The routine. */
  routine: string;
}

/** A run. */
export interface RunInfo {
  calls: number;
  /** The recorded command, if there was one. */
  command: string | null;
  exit_code: number | null;
  /** Whether it is known what objects held. */
  knows_state: boolean;
  /** The trace's folder, by its name. */
  name: string;
  /** Whether the inside of calls can be looked at: events, histories, lines. */
  recorded: boolean;
  strategies: NamedChoice[];
  transformations: NamedChoice[];
}

/** A run in a list. */
export interface RunName {
  name: string;
  run: number;
}

export interface SaidInside {
  revision: number;
  said: InsideRequest;
}

export interface Saying {
  answer: SessionRequest;
  /** Another call than the one in question. */
  node?: number;
  /** With `wrong`: the value that shows it. */
  path?: string;
  revision: number;
}

export interface Search {
  /** The first node to look at. */
  from?: number;
  /** How many at most. */
  most?: number;
  /** A part of a class's or method's name, or of what a call's line shows. */
  text: string;
  /** Whether to look at arguments, results and changes instead of names. */
  values?: boolean;
}

/** What a search has found. */
export interface SearchHits {
  /** Where to go on, if not everything was looked at. */
  next: number | null;
  rows: TreeRow[];
}

/** How far a session is, for whoever waits to hear of changes. */
export interface SessionProgress {
  /** 0 before there is a session. */
  revision: number;
  /** Those who answer before a person are being heard. */
  thinking: boolean;
}

/** What can be said to a question. */
export type SessionRequest = "yes" | "no" | "unknown" | "trust" | "trust-class" | "trust-package" | "inadmissible" | "wrong";

/** Where the session stands. */
export interface SessionView {
  answers: AnswerView[];
  /** The revision since which the same is asked. */
  asked_since: number;
  can_undo: boolean;
  /** Answers that were forgotten just now and can be brought back. */
  forgotten?: number;
  /** The search in the call that was found, if it goes on there. */
  inside?: InsideView;
  revision: number;
  /** Numbers of calls are those of this snapshot of a growing run. */
  snapshot: number;
  step: StepView;
  strategy: string;
  /** Calls that can still hold the bug. */
  suspects: number;
  /** Those who answer before a person are being heard about what is asked. */
  thinking: boolean;
  /** The transformations that are on, as a list. */
  transform: string;
  /** What went wrong while they were heard. */
  trouble?: string;
}

/** Everything that a question shows. Printed, it is the question as a terminal shows it. */
export interface Sheet {
  /** The calls that are taken together, or the first and the last of them. */
  calls?: CallLine[];
  /** How many calls are left out after the first half of those listed. */
  calls_left_out?: number;
  changes: ChangeLine[];
  changes_left_out?: number;
  /** What was there before: of a call, the receiver and the arguments. */
  given: Given[];
  given_left_out?: number;
  /** What whoever judges it should think of. */
  guidance?: string;
  /** Which thread it ran in and who handed it over, and what else is to be known about it. */
  notes?: string[];
  /** The number of the call, or the first and last of the calls: `#3–#17`. */
  numbers: string;
  /** How a call ended; calls taken together have no end of their own. */
  outcome: string | null;
  /** What it is, and where. */
  title: string;
}

/** Where a step has led. */
export interface Stands {
  event: number;
  line: number | null;
  node: number;
}

/** A value at a call's entry and exit. */
export interface StateView {
  /** At exit; `None` if the call is open or the value cannot have changed. */
  after: ValueView | null;
  /** At entry. */
  before: ValueView;
}

export interface Step {
  file: string | null;
  from: number[];
  instruction: number | null;
  kind: StepKind;
  line: number | null;
  node: number | null;
  routine: string | null;
  step: number;
  value: string | null;
  what: string;
}

export interface StepFrom {
  /** Without it, from the end of the call. */
  event?: number;
  node: number;
  to: Direction;
}

/** Sorts of steps. */
export type StepKind = "write" | "computed" | "returned" | "argument" | "condition" | "constant" | "outside" | "initial" | "unknown";

export type StepView = {
  ask: AskedQuestion;
} | {
  done: Ended;
};

export type StopRequest = Record<string, never>;

/** How a call came to run in a thread that did not call it. */
export interface Submitted {
  /** The call that handed it over: started the thread, or gave the task to those who ran it. */
  by: NodeId;
  /** That call's routine. */
  routine: string;
  /** The name of the thread that it ran in. */
  thread: string;
}

export interface Suspect {
  line: string;
  node: number;
}

/**
 * Methods that may be to blame, the likeliest first; none if nothing is known that would tell calls apart.
 */
export interface SuspectList {
  suspects: SuspectTold[];
}

export interface SuspectTold {
  call: string;
  /** How many of its calls are suspects. */
  calls: number;
  class: string;
  descriptor: string;
  file: string | null;
  /** From 0 to 1, over all suspects. */
  likelihood: number;
  lines: number[];
  method: string;
  /** The likeliest of its calls, and what that did. */
  node: number;
  /** What speaks against the call, in sentences without their ends. */
  reasons: string[];
}

export interface SuspectsRequest {
  /** How many methods. */
  most?: number;
}

export interface Switched {
  /** As `--transform` takes it; a minus sign switches off. */
  list: string;
}

export interface TakingBack {
  /** Which answer; without it, the last. */
  place?: number;
  revision: number;
  /** Instead: all trust in the method of this call. */
  trust?: number;
}

/** A node, consecutive siblings of one chain, or a piece of their caller. */
export type Target = {
  node: NodeId;
} | {
  range: {
    /** The first of them. */
    first: NodeId;
    /** The last of them, a later sibling of the first. */
    last: NodeId;
  };
} | {
  piece: {
    /** The first call of the piece. */
    first: NodeId;
    /** The last call of the piece; it may be the first. */
    last: NodeId;
  };
};

/** A call in the tree. */
export interface TreeRow {
  /** The recording of its beginning was given up. */
  began_before_kept?: boolean;
  class: string;
  complete: boolean;
  judgement: Judgement;
  method: string;
  node: number;
  parent: number | null;
  /** Calls in its subtree, itself included. */
  subtree: number;
  /** Whether the bug can still be in it. */
  suspect: boolean;
  /** Suspects in its subtree. */
  suspects: number;
  /** The call in one line. */
  text: string;
  /** The thread that it was handed over to by the call above. */
  thread?: string;
}

/** A line with a condition that always went one way. */
export interface UntakenView {
  line: number;
  /** The lines on the other way that never ran; this one too if they are a part of it. */
  lines: number[];
}

/** Sorts of values. */
export type ValueKind = "primitive" | "string" | "null" | "object" | "array" | "map" | "entry" | "constant" | "opaque" | "unknown" | "unreadable";

/** A value, as far as it was followed. */
export interface ValueView {
  /** Whether it differs from its other state (entry or exit). */
  changed?: Changed;
  /** Fields or elements, as far as they were followed. */
  children?: ChildView[];
  /** Its class, with its package. */
  class?: string;
  /** What it should have been, as far as a symptom of the run says it. */
  expected?: string;
  /** The object's number in the trace. */
  id?: number;
  /**
   * Whether its parts are known by their order, as those of a record are: all of them are written without
   * names.
   */
  is_record?: boolean;
  /** What sort of value it is. */
  kind: ValueKind;
  /** Who else wrote it while the call ran; of something that holds others, who wrote to its inside. */
  meanwhile?: ConcurrentWrite;
  /** Whether the same object, which can change, stands in another place of the same question. */
  shared?: boolean;
  /**
   * The value in short: a number, a quoted string, `null`, or what an opaque object says of itself. For
   * objects and arrays with children it may be empty.
   */
  text: string;
  /** How many more fields or elements there are. */
  truncated?: number;
}

/** How an event changed the variable that was asked about. */
export type VariableChange = "directly" | "below";

export interface WayStep {
  node: number;
  place: number;
}

export interface WeighedCall {
  line: string;
  node: number;
  weight: string;
}

/** What calls weigh, each with everything below it. */
export interface Weights {
  all: string;
  /** In the order of the tree; of many, those nearest to half. */
  calls: WeighedCall[];
}

export interface Where {
  /** How many references deep values are shown. */
  depth?: number;
  /** Right after this event; without it, at the end of the call. */
  event?: number;
  /** The call. */
  node: number;
  /** How many fields or elements of an object are shown. */
  width?: number;
}

/** A slice, backwards. */
export interface Why {
  complete: boolean;
  lines: RoutineLines[];
  notes: string[];
  path: string;
  steps: Step[];
  value: string | null;
}

export interface Write {
  after: string;
  before: string | null;
  by: Writer;
  event: number | null;
  file: string | null;
  line: number | null;
  node: number | null;
  routine: string | null;
  thread: string;
  write: number;
}

/** Who wrote a variable. */
export type Writer = "code" | "library" | "outside";

/** A value that was called wrong, and the write that made it. */
export interface WrongValue {
  instruction?: number;
  line?: number;
  /** What gave it its value last: the call, the line, and the instruction of the call. */
  node?: number;
  path: string;
  routine?: string;
  value?: string;
}
