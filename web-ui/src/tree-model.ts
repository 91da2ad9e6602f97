// The computation tree as far as it is open: branches know how many children there are, and hold pages of
// them only where somebody has looked. Rows are numbered as they stand below each other on the screen.

import { signal } from "@preact/signals";

import type { Api, LibraryRow, Row, WayStep } from "./api";

const PAGE = 100;
/** Pages of a branch that are kept; the rest is asked for again when it is needed. */
const MOST_PAGES = 20;
/** So many open calls stay open when more of a run is known. */
const MOST_OPEN = 30;

interface Page {
  rows: Row[];
  epoch: number;
}

class Branch {
  /** How many children there are. */
  count = 0;
  /** Rows on the screen: children, and what is open below them. Kept, because recursions are deep. */
  height = 0;
  private parent: Branch | null = null;
  pages = new Map<number, Page>();
  loading = new Set<number>();
  /** Open children by their place, in order. */
  open: { place: number; branch: Branch }[] = [];

  constructor(readonly node: number | null, readonly depth: number) {}

  private grow(rows: number): void {
    this.height += rows;
    for (let above = this.parent; above !== null; above = above.parent) above.height += rows;
  }

  setCount(count: number): void {
    this.grow(count - this.count);
    this.count = count;
  }

  attach(place: number, child: Branch): void {
    child.parent = this;
    this.open.push({ place, branch: child });
    // What a call made stands before what came after it.
    const isAfter = (branch: Branch) => Number(branch instanceof Leaves);
    this.open.sort((one, other) => one.place - other.place || isAfter(one.branch) - isAfter(other.branch));
    this.grow(child.height);
  }

  /** What is open below a child. */
  below(place: number): Branch | undefined {
    return this.open.find((open) => open.place === place && !(open.branch instanceof Leaves))?.branch;
  }

  dropLeaves(): void {
    for (const { branch } of [...this.open]) {
      if (branch instanceof Leaves) this.detach(branch);
    }
  }

  detach(child: Branch | undefined): void {
    const at = this.open.findIndex((open) => open.branch === child);
    for (const { branch } of at < 0 ? [] : this.open.splice(at, 1)) {
      branch.parent = null;
      this.grow(-branch.height);
    }
  }

  keep(number: number, page: Page): void {
    const before = this.pages.get(number);
    // What was known stays in sight until its successor has come.
    const rest = before?.rows.slice(page.rows.length) ?? [];
    this.pages.delete(number);
    this.pages.set(number, { ...page, rows: [...page.rows, ...rest] });
    for (const old of this.pages.keys()) {
      if (this.pages.size <= MOST_PAGES) break;
      this.pages.delete(old);
    }
  }

  row(place: number): Row | undefined {
    return this.pages.get(Math.floor(place / PAGE))?.rows[place % PAGE];
  }
}

/** Calls to code that was not recorded, as many of them as were made between two calls that were. */
class Leaves extends Branch {
  readonly calls: LibraryRow[] = [];

  constructor(readonly caller: number, depth: number) {
    super(null, depth);
  }

  add(call: LibraryRow): void {
    this.calls.push(call);
    this.setCount(this.calls.length);
  }
}

/** A call to code that was not recorded, with the call that made it. */
export interface Leaf extends LibraryRow {
  caller: number;
}

/** A row of the screen. */
export interface Line {
  branch: Branch;
  place: number;
  depth: number;
  row: Row | undefined;
  /** Instead of a row: what was called is not recorded. */
  leaf?: Leaf;
  isOpen: boolean;
}

export class TreeModel {
  private root = new Branch(null, 0);
  /** How many calls are above what the tree shows; more than none in a deep recursion only. */
  readonly above = signal(0);
  private epoch = 0;
  /** Whether calls to code that was not recorded are shown. */
  readonly hasLibrary = signal(false);
  /** Changes whenever there is something else to draw. */
  readonly version = signal(0);
  /** The row that should be in sight. */
  readonly wanted = signal<number | null>(null);
  /** How often something was to be revealed: only the last of it counts, in whatever order answers come. */
  private reveals = 0;
  /** How often a line was wanted: the same line of another tree is another wish. */
  readonly wishes = signal(0);

  constructor(private readonly api: Api) {}

  async start(): Promise<void> {
    await this.load(this.root, 0);
  }

  /** Begins with the first call again. Where it is another tree now, in which calls may have other numbers, what was
   * open stays open, and what is shown stays in sight until all of that is known. */
  async restart(moved?: (node: number) => Promise<number | null>): Promise<void> {
    const open = moved === undefined ? [] : await Promise.all(this.openCalls().map(moved));
    const root = new Branch(null, 0);
    await this.load(root, 0);
    for (const node of open) {
      if (node === null) continue;
      const { above, steps } = await this.api.path(node);
      if (above > 0) continue;
      const { branch, step } = await this.openAbove(root, steps);
      if (step !== undefined) await this.openAt(branch, step.place, step.node);
    }
    this.root = root;
    this.above.value = 0;
    this.wanted.value = null;
    this.epoch += 1;
    this.version.value += 1;
  }

  /** The calls that are open, callers first; not more than can be opened again in a moment. */
  private openCalls(): number[] {
    const found: number[] = [];
    const unseen = [this.root];
    for (let branch = unseen.shift(); branch !== undefined && found.length < MOST_OPEN; branch = unseen.shift()) {
      if (branch.node !== null && branch !== this.root) found.push(branch.node);
      unseen.push(...branch.open.map((open) => open.branch));
    }
    return found;
  }

  height(): number {
    return this.root.height;
  }

  /** Judgements have changed: rows are asked for again when they are drawn. */
  refresh(): void {
    this.epoch += 1;
    this.version.value += 1;
  }

  line(index: number): Line | undefined {
    let branch = this.root;
    let rest = index;
    for (;;) {
      let passed = 0;
      let inside: Branch | undefined;
      for (const { place, branch: child } of branch.open) {
        if (rest <= place + passed) break;
        const below = place + 1 + passed;
        if (rest < below + child.height) {
          rest -= below;
          inside = child;
          break;
        }
        passed += child.height;
      }
      if (inside instanceof Leaves) {
        const call = inside.calls[rest];
        const { depth, caller } = inside;
        return call === undefined ? undefined : { branch: inside, place: rest, depth, row: undefined, leaf: { ...call, caller }, isOpen: false };
      }
      if (inside === undefined) {
        const place = rest - passed;
        if (place >= branch.count) return undefined;
        this.need(branch, place);
        const isOpen = branch.below(place) !== undefined;
        return { branch, place, depth: branch.depth, row: branch.row(place), isOpen };
      }
      branch = inside;
    }
  }

  /** A line with its row, however long that takes. */
  async loaded(index: number): Promise<Line | undefined> {
    // A page comes in some parts where values are large; each time more of it is there.
    for (let parts = 0; parts < PAGE; parts += 1) {
      const line = this.line(index);
      if (line === undefined || line.row !== undefined || line.leaf !== undefined) return line;
      await this.load(line.branch, Math.floor(line.place / PAGE));
    }
    return undefined;
  }

  private need(branch: Branch, place: number): void {
    const number = Math.floor(place / PAGE);
    const page = branch.pages.get(number);
    if (page?.epoch === this.epoch || branch.loading.has(number)) return;
    this.load(branch, number).catch(() => {
      // The row stays empty; drawing it again asks again.
    });
  }

  /** Settles with the first rows of a page: where values are large, the rest comes after them. */
  private async load(branch: Branch, number: number): Promise<void> {
    const epoch = this.epoch;
    branch.loading.add(number);
    try {
      const rows = await this.loadRows(branch, number, [], epoch);
      if (rows !== null) void this.loadRest(branch, number, rows, epoch);
    } catch (error) {
      branch.loading.delete(number);
      throw error;
    } finally {
      this.version.value += 1;
    }
  }

  /** Adds the next rows of a page; gives them if there are more to come. */
  private async loadRows(branch: Branch, number: number, known: Row[], epoch: number): Promise<Row[] | null> {
    const from = number * PAGE + known.length;
    const page = await this.api.children(branch.node, from, PAGE - known.length);
    const rows = [...known, ...page.rows];
    branch.setCount(page.count);
    branch.keep(number, { rows, epoch });
    const isAll = page.rows.length === 0 || rows.length >= Math.min(PAGE, page.count - number * PAGE);
    if (isAll) branch.loading.delete(number);
    if (isAll && this.hasLibrary.value) void this.loadLeaves(branch, number);
    return isAll ? null : rows;
  }

  /** Whether something can be shown below a call. */
  canOpen(row: Row): boolean {
    return row.subtree > 1 || this.hasLibrary.value;
  }

  /** Shows calls to code that was not recorded, or no longer. */
  setLibrary(isShown: boolean): void {
    this.hasLibrary.value = isShown;
    const unseen = [this.root];
    for (let branch = unseen.pop(); branch !== undefined; branch = unseen.pop()) {
      branch.dropLeaves();
      unseen.push(...branch.open.map((open) => open.branch));
      if (isShown) for (const number of branch.pages.keys()) void this.loadLeaves(branch, number);
    }
    this.version.value += 1;
  }

  /** The calls to code that was not recorded, among those of a page. */
  private async loadLeaves(branch: Branch, number: number): Promise<void> {
    const { node } = branch;
    const rows = branch.pages.get(number)?.rows ?? [];
    if (node === null || (number > 0 && rows.length === 0)) return;
    const first = number * PAGE;
    // Those before the first call of a page belong to the page before.
    const after = number === 0 ? null : (rows[0]?.node ?? null);
    try {
      const { calls, next } = await this.api.library(node, after, rows.at(-1)?.node ?? null);
      if (!this.hasLibrary.value) return;
      const inPage = ({ place }: { place: number }) => place >= (number === 0 ? -1 : first) && place < first + PAGE;
      for (const { branch: old } of branch.open.filter(inPage)) if (old instanceof Leaves) branch.detach(old);
      const all = next === null ? calls : [...calls, { event: next, line: null, after: calls.at(-1)?.after ?? null, text: "…" }];
      const groups = new Map<number, Leaves>();
      for (const call of all) {
        const place = call.after === null ? -1 : first + rows.findIndex((row) => row.node === call.after);
        const leaves = groups.get(place) ?? new Leaves(node, branch.depth);
        leaves.add(call);
        groups.set(place, leaves);
      }
      for (const [place, leaves] of groups) branch.attach(place, leaves);
      this.version.value += 1;
    } catch {
      // A call whose inside was not recorded has no such leaves.
    }
  }

  private async loadRest(branch: Branch, number: number, first: Row[], epoch: number): Promise<void> {
    try {
      for (let rows: Row[] | null = first; rows !== null; this.version.value += 1) {
        rows = await this.loadRows(branch, number, rows, epoch);
      }
    } catch {
      // The rows stay empty; drawing them again asks again.
      branch.loading.delete(number);
      branch.pages.delete(number);
    }
  }

  private async openAt(branch: Branch, place: number, node: number, page = 0): Promise<Branch> {
    const known = branch.below(place);
    if (known !== undefined) return known;
    const child = new Branch(node, branch.depth + 1);
    await this.load(child, page);
    // Somebody may have opened it in the meantime.
    branch.detach(branch.below(place));
    branch.attach(place, child);
    return child;
  }

  async toggle(line: Line): Promise<void> {
    if (line.row === undefined || !this.canOpen(line.row)) return;
    if (line.isOpen) {
      line.branch.detach(line.branch.below(line.place));
    } else {
      await this.openAt(line.branch, line.place, line.row.node);
    }
    this.version.value += 1;
  }

  /** Opens everything above a node and wants it in sight. */
  async reveal(node: number): Promise<void> {
    const reveal = (this.reveals += 1);
    const { above, below, steps } = await this.api.path(node);
    if (reveal !== this.reveals) return;
    if (above > 0 ? this.root.node !== below : this.root.node !== null) {
      // Deep in a recursion the tree begins some calls above the one that is wanted.
      const root = new Branch(above > 0 ? below : null, above);
      await this.load(root, Math.floor((steps[0]?.place ?? 0) / PAGE));
      if (reveal !== this.reveals) return;
      this.root = root;
      this.above.value = above;
    }
    const { index } = await this.openAbove(this.root, steps, () => reveal === this.reveals);
    if (reveal !== this.reveals) return;
    this.version.value += 1;
    this.wanted.value = index;
    this.wishes.value += 1;
  }

  /** Opens all but the last call of a way; gives where that stands. */
  private async openAbove(root: Branch, steps: WayStep[], goesOn = () => true): Promise<{ branch: Branch; step: WayStep | undefined; index: number }> {
    let branch = root;
    let index = 0;
    for (const [number, step] of steps.entries()) {
      const above = branch.open.filter((open) => open.place < step.place);
      index += step.place + above.reduce((sum, open) => sum + open.branch.height, 0);
      const next = steps[number + 1];
      if (next === undefined || !goesOn()) break;
      branch = await this.openAt(branch, step.place, step.node, Math.floor(next.place / PAGE));
      index += 1;
    }
    return { branch, step: steps.at(-1), index };
  }
}
