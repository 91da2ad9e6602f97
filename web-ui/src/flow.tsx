// The steps that gave a value, drawn: the value at the top, below it what it was made of, down to where everything came
// from. A step that only handed the same value on is a part of the line.

import type { Why, WhyStep } from "./api";

/** More than this is no picture. */
const MOST_STEPS = 24;
const WIDTH = 150;
const HEIGHT = 44;
const GAP_ACROSS = 14;
const GAP_DOWN = 30;
/** Signs of a text that fit into a box. */
const LONGEST = 21;

interface Box {
  step: WhyStep;
  x: number;
  y: number;
}

interface Picture {
  boxes: Box[];
  lines: { from: Box; to: Box; copies: number }[];
  width: number;
  height: number;
}

const COPIES = new Set(["argument", "returned"]);

/** What a step was really made of: the steps in between that only hand a value on are counted. */
function madeOf(step: WhyStep, all: Map<number, WhyStep>): { source: WhyStep; copies: number }[] {
  return step.from.flatMap((number) => {
    let source = all.get(number);
    let copies = 0;
    const seen = new Set<number>();
    while (source !== undefined && COPIES.has(source.kind) && source.from.length === 1 && !seen.has(source.step)) {
      const [only] = source.from;
      const next = only === undefined ? undefined : all.get(only);
      if (next === undefined || next.value !== source.value) break;
      seen.add(source.step);
      source = next;
      copies += 1;
    }
    return source === undefined ? [] : [{ source, copies }];
  });
}

/** Layers by the longest way from the value, so that every line goes down. */
export function pictureOf(why: Why): Picture {
  const all = new Map(why.steps.map((step) => [step.step, step]));
  const first = why.steps[0];
  const order: WhyStep[] = [];
  const depth = new Map<number, number>();
  const links: { from: WhyStep; to: WhyStep; copies: number }[] = [];
  const open = first === undefined ? [] : [first];
  if (first !== undefined) depth.set(first.step, 0);
  for (let step = open.shift(); step !== undefined; step = open.shift()) {
    order.push(step);
    // What gave the value itself comes first, so that its way is the left edge of the picture.
    const sources = madeOf(step, all);
    const giver = sources.find(({ source }) => source.value !== null && source.value === step.value);
    for (const { source, copies } of giver === undefined ? sources : [giver, ...sources.filter((one) => one !== giver)]) {
      if (source.step <= step.step) continue;
      const isKnown = depth.has(source.step);
      if (!isKnown && depth.size >= MOST_STEPS) continue;
      links.push({ from: step, to: source, copies });
      if (!isKnown) open.push(source);
      depth.set(source.step, Math.max(depth.get(source.step) ?? 0, (depth.get(step.step) ?? 0) + 1));
    }
  }
  // A step may have got deeper after what it was made of was placed.
  for (let changed = true, turns = 0; changed && turns < MOST_STEPS; turns += 1) {
    changed = false;
    for (const { from, to } of links) {
      const needed = (depth.get(from.step) ?? 0) + 1;
      if ((depth.get(to.step) ?? 0) >= needed) continue;
      depth.set(to.step, needed);
      changed = true;
    }
  }
  const layers: WhyStep[][] = [];
  for (const step of order) (layers[depth.get(step.step) ?? 0] ??= []).push(step);
  const widest = Math.max(1, ...layers.map((layer) => layer.length));
  const width = widest * (WIDTH + GAP_ACROSS) - GAP_ACROSS;
  const boxes = layers.flatMap((layer, row) => layer.map((step, column) => ({ step, x: column * (WIDTH + GAP_ACROSS), y: row * (HEIGHT + GAP_DOWN) })));
  const boxOf = new Map(boxes.map((box) => [box.step.step, box]));
  const lines = links.flatMap(({ from, to, copies }) => {
    const [upper, lower] = [boxOf.get(from.step), boxOf.get(to.step)];
    return upper === undefined || lower === undefined ? [] : [{ from: upper, to: lower, copies }];
  });
  return { boxes, lines, width, height: Math.max(1, layers.length) * (HEIGHT + GAP_DOWN) - GAP_DOWN };
}

const short = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

export function Flow({ why, go }: { why: Why; go: (step: WhyStep) => void }) {
  const { boxes, lines, width, height } = pictureOf(why);
  return (
    <div class="flow" data-testid="flow">
      <svg width={width + 4} height={height + 4} viewBox={`-2 -2 ${width + 4} ${height + 4}`} role="group" aria-label="Where it came from, as a picture">
        {lines.map(({ from, to, copies }) => {
          const [x1, y1, x2, y2] = [from.x + WIDTH / 2, from.y + HEIGHT, to.x + WIDTH / 2, to.y];
          return (
            <g>
              <path d={`M${x1} ${y1}C${x1} ${y1 + GAP_DOWN / 2} ${x2} ${y2 - GAP_DOWN / 2} ${x2} ${y2}`} />
              {copies > 0 && (
                <text class="handed" x={(x1 + x2) / 2 + 4} y={(y1 + y2) / 2 + 4}>
                  {copies}×<title>handed on {copies === 1 ? "once" : `${copies} times`}</title>
                </text>
              )}
            </g>
          );
        })}
        {boxes.map(({ step, x, y }, number) => {
          const said = `${step.what}${step.value === null ? "" : ` = ${step.value}`}`;
          const where = `${step.routine?.split(".").pop() ?? "outside"}${step.line === null ? "" : `, line ${step.line}`}`;
          return (
            <g
              class={`flow-step ${number === 0 ? "first" : ""} ${step.from.length === 0 ? "end" : ""}`}
              role="button"
              tabindex={step.node === null ? -1 : 0}
              aria-disabled={step.node === null}
              aria-label={`${said}, ${where}`}
              data-flow={step.step}
              transform={`translate(${x} ${y})`}
              onClick={() => go(step)}
              onKeyDown={(event) => {
                if (event.key === "Enter" || event.key === " ") go(step);
              }}
            >
              <title>{`${said}\n${where}`}</title>
              <rect width={WIDTH} height={HEIGHT} rx="6" />
              <text class="said" x="8" y="18">
                {short(said)}
              </text>
              <text class="where" x="8" y="35">
                {short(where)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}
