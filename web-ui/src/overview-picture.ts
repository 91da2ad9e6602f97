// How the overview is drawn: blocks by judgement and suspicion, with signs and hatching for those who do
// not see the colours.

import type { Judgement, Overview } from "./api";
import { SIGNS } from "./signs";

export const ROW = 19;
/** The strip above the blocks, where judged calls are marked however narrow they are. */
export const STRIP = 14;
const FONT = "11px system-ui, sans-serif";
/** A block narrower than this has no room for words. */
const WORDS = 26;

/** What is in sight, in calls. */
export interface View {
  top: number | null;
  from: number;
  to: number;
}

/** A block under the pointer. */
export interface Hit {
  first: number;
  calls: number;
  suspects: number;
  isOne: boolean;
  name: string | null;
}

export interface Scene {
  view: View;
  chosen: number | null;
  asked: number | null;
  pointed: number | null;
}

const NAMES = ["paper", "back", "ink", "quiet", "rule", "accent", "accent-soft", "right", "right-soft", "wrong", "wrong-soft", "warn", "warn-soft"] as const;
export type Colours = Record<(typeof NAMES)[number], string>;

/** The page's colours as a canvas can use them. */
export function readColours(element: HTMLElement): Colours {
  const before = element.style.color;
  const read = NAMES.map((name) => {
    element.style.color = `var(--${name})`;
    return [name, getComputedStyle(element).color];
  });
  element.style.color = before;
  return Object.fromEntries(read) as Colours;
}

/** The block at a call and a height in the picture. */
export function blockAt(picture: Overview, call: number, y: number): Hit | null {
  const row = picture.rows[Math.floor((y - STRIP) / ROW)];
  const block = row?.find(([first, calls]) => first <= call && call < first + calls);
  if (block === undefined) return null;
  const [first, calls, suspects, judgement, name] = block;
  return { first, calls, suspects, isOne: judgement !== null, name: name === null ? null : (picture.names[name] ?? null) };
}

function fill(judgement: Judgement | null, suspects: number, colours: Colours): string {
  switch (judgement) {
    case "correct":
      return colours["right-soft"];
    case "wrong":
      return colours["wrong-soft"];
    case "trusted":
      return colours["warn-soft"];
    default:
      return suspects > 0 ? colours.paper : colours.back;
  }
}

/** Lines across what is ruled out, upright ones in what stands for several calls. */
function hatch(context: CanvasRenderingContext2D, kind: "out" | "several", colour: string): CanvasPattern | null {
  const tile = new OffscreenCanvas(6, 6);
  const brush = tile.getContext("2d");
  if (brush === null) return null;
  brush.strokeStyle = colour;
  brush.lineWidth = 1;
  brush.beginPath();
  if (kind === "out") {
    brush.moveTo(-1, 7);
    brush.lineTo(7, -1);
  } else {
    brush.moveTo(1.5, 0);
    brush.lineTo(1.5, 6);
    brush.moveTo(4.5, 0);
    brush.lineTo(4.5, 6);
  }
  brush.stroke();
  return context.createPattern(tile, "repeat");
}

export function draw(canvas: HTMLCanvasElement, size: { width: number; height: number }, picture: Overview, scene: Scene, colours: Colours): void {
  const scale = window.devicePixelRatio || 1;
  canvas.width = Math.round(size.width * scale);
  canvas.height = Math.round(size.height * scale);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(scale, scale);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, size.width, size.height);
  const { view } = scene;
  const perCall = size.width / Math.max(1, view.to - view.from);
  const x = (call: number) => (call - view.from) * perCall;
  const out = hatch(context, "out", colours.rule);
  const several = hatch(context, "several", colours.rule);
  context.font = FONT;
  context.textBaseline = "middle";
  for (const [depth, row] of picture.rows.entries()) {
    const y = STRIP + depth * ROW;
    if (y > size.height) break;
    for (const [first, calls, suspects, judgement, name] of row) {
      const left = Math.max(-2, x(first));
      const width = Math.min(size.width + 2, x(first + calls)) - left;
      if (width <= 0 || left > size.width) continue;
      const isOne = judgement !== null;
      const isLit = first === scene.pointed || (first === scene.chosen && judgement === "undefined");
      context.fillStyle = isLit ? colours["accent-soft"] : fill(judgement, suspects, colours);
      context.fillRect(left, y, width, ROW - 1);
      const pattern = suspects === 0 && judgement !== "correct" ? out : isOne ? null : several;
      if (pattern !== null) {
        context.fillStyle = pattern;
        context.fillRect(left, y, width, ROW - 1);
      }
      if (isOne || width > 6) {
        context.strokeStyle = colours.rule;
        context.strokeRect(left + 0.5, y - 0.5, width - 1, ROW - 1);
      }
      if (isOne && width > WORDS) write(context, { left: Math.max(0, left), width, y }, judgement, name === null ? "" : (picture.names[name] ?? ""), suspects, colours);
      if (isOne && first === scene.asked) outline(context, left, y, width, colours.accent, 1);
      if (isOne && first === scene.chosen) outline(context, left, y, width, colours.accent, 2);
    }
  }
  drawMarks(context, picture, scene, x, size.width, colours);
}

function outline(context: CanvasRenderingContext2D, left: number, y: number, width: number, colour: string, line: number): void {
  context.strokeStyle = colour;
  context.lineWidth = line;
  context.strokeRect(left + line / 2, y + line / 2 - 0.5, Math.max(2, width - line), ROW - 1 - line);
  context.lineWidth = 1;
}

function write(
  context: CanvasRenderingContext2D,
  box: { left: number; width: number; y: number },
  judgement: Judgement,
  name: string,
  suspects: number,
  colours: Colours,
): void {
  context.save();
  context.beginPath();
  context.rect(box.left, box.y, box.width - 2, ROW);
  context.clip();
  const sign = SIGNS[judgement].sign;
  let left = box.left + 5;
  if (sign !== "") {
    context.fillStyle = signColour(judgement, colours);
    context.fillText(sign, left, box.y + ROW / 2);
    left += 14;
  }
  context.fillStyle = suspects > 0 ? colours.ink : colours.quiet;
  context.fillText(name, left, box.y + ROW / 2);
  context.restore();
}

function signColour(judgement: Judgement, colours: Colours): string {
  if (judgement === "correct") return colours.right;
  if (judgement === "wrong") return colours.wrong;
  return judgement === "trusted" ? colours.warn : colours.quiet;
}

/** Signs of judged calls, the asked and the chosen one, where they are in the run. */
function drawMarks(context: CanvasRenderingContext2D, picture: Overview, scene: Scene, x: (call: number) => number, width: number, colours: Colours): void {
  context.fillStyle = colours.back;
  context.fillRect(0, 0, width, STRIP - 1);
  context.textAlign = "center";
  const put = (node: number, sign: string, colour: string) => {
    const at = Math.max(6, Math.min(width - 6, x(node)));
    if (x(node) < -1 || x(node) > width) return;
    context.fillStyle = colour;
    context.fillText(sign, at, STRIP / 2);
  };
  for (const { node, judgement } of picture.marks) put(node, SIGNS[judgement].sign, signColour(judgement, colours));
  if (scene.asked !== null) put(scene.asked, "▾", colours.accent);
  if (scene.chosen !== null && scene.chosen !== scene.asked) put(scene.chosen, "▿", colours.accent);
  context.textAlign = "start";
}
