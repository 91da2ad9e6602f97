// A short recording of a first session, for the README: `npm run recording` writes docs/images/demo.webp.
//
// Chromium makes a picture of every step, of which only what has changed is kept; the pictures are put together as an
// animated WebP here, so nothing else is needed.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { ASKANCE, address, browser } from "./served.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{ x: number, y: number, width: number, height: number, webp: Buffer, duration: number }} Frame */

const SIZE = { width: 1100, height: 680 };
/** Of the pictures of a screen; text stays readable. */
const QUALITY = 0.72;
const GOAL = process.argv[2] ?? join(resolve(import.meta.dirname, "../.."), "docs/images/demo.webp");

/** A chunk of a RIFF file.
 * @param {string} name @param {Buffer} content */
function chunk(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, 0, "ascii");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** @param {Buffer} into @param {number} value @param {number} at */
function threeBytes(into, value, at) {
  into.writeUIntLE(value, at, 3);
}

/** The picture's own chunks, without the head that a file of its own has.
 * @param {Buffer} webp */
function pictureOf(webp) {
  const kept = [];
  for (let at = 12; at + 8 <= webp.length; ) {
    const name = webp.toString("ascii", at, at + 4);
    const length = webp.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (name === "VP8 " || name === "VP8L" || name === "ALPH") kept.push(webp.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** @param {Frame[]} frames */
function animation(frames) {
  const head = Buffer.alloc(10);
  head.writeUInt8(2, 0);
  threeBytes(head, SIZE.width - 1, 4);
  threeBytes(head, SIZE.height - 1, 7);
  // White behind it, again and again.
  const parts = [chunk("VP8X", head), chunk("ANIM", Buffer.from([255, 255, 255, 255, 0, 0]))];
  for (const frame of frames) {
    const place = Buffer.alloc(16);
    threeBytes(place, frame.x / 2, 0);
    threeBytes(place, frame.y / 2, 3);
    threeBytes(place, frame.width - 1, 6);
    threeBytes(place, frame.height - 1, 9);
    threeBytes(place, frame.duration, 12);
    // It covers what was there, which stays otherwise.
    place.writeUInt8(2, 15);
    parts.push(chunk("ANMF", Buffer.concat([place, pictureOf(frame.webp)])));
  }
  return chunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...parts]));
}

/** What differs between two screens, as a picture; nothing if they are the same.
 * @param {Page} helper @param {string | null} before @param {string} after */
function difference(helper, before, after) {
  return helper.evaluate(
    async ([earlier, later, quality]) => {
      const load = async (/** @type {string} */ png) => {
        const image = new Image();
        image.src = `data:image/png;base64,${png}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const drawing = canvas.getContext("2d", { willReadFrequently: true });
        if (drawing === null) throw new Error("nothing to draw on");
        drawing.drawImage(image, 0, 0);
        return { canvas, points: new Uint32Array(drawing.getImageData(0, 0, image.width, image.height).data.buffer) };
      };
      const now = await load(String(later));
      const { width, height } = now.canvas;
      let box = { left: 0, top: 0, right: width, bottom: height };
      if (earlier !== null) {
        const then = await load(String(earlier));
        box = { left: width, top: height, right: 0, bottom: 0 };
        for (let y = 0, at = 0; y < height; y += 1) {
          for (let x = 0; x < width; x += 1, at += 1) {
            if (now.points[at] === then.points[at]) continue;
            box = { left: Math.min(box.left, x), top: Math.min(box.top, y), right: Math.max(box.right, x + 1), bottom: Math.max(box.bottom, y + 1) };
          }
        }
        if (box.right <= box.left) return null;
      }
      // Places are even.
      const [x, y] = [box.left - (box.left % 2), box.top - (box.top % 2)];
      const part = document.createElement("canvas");
      [part.width, part.height] = [box.right - x, box.bottom - y];
      part.getContext("2d")?.drawImage(now.canvas, -x, -y);
      return { x, y, width: part.width, height: part.height, webp: part.toDataURL("image/webp", Number(quality)).split(",")[1] ?? "" };
    },
    /** @type {[string | null, string, number]} */ ([before, after, QUALITY]),
  );
}

/** A pointer that can be seen, where the mouse is.
 * @param {Page} page */
function showPointer(page) {
  return page.addInitScript(() => {
    window.addEventListener("DOMContentLoaded", () => {
      const pointer = document.createElement("div");
      pointer.style.cssText = "position:fixed;z-index:9999;width:18px;height:18px;margin:-9px;border-radius:50%;background:#d9480f99;border:2px solid #d9480f;pointer-events:none;left:-50px;top:-50px";
      document.body.append(pointer);
      window.addEventListener("mousemove", (event) => {
        pointer.style.left = `${event.clientX}px`;
        pointer.style.top = `${event.clientY}px`;
      });
    });
  });
}

const child = spawn(ASKANCE, ["demo", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
const chrome = await browser();
try {
  const context = await chrome.newContext({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
  const page = await context.newPage();
  const helper = await context.newPage();
  await showPointer(page);
  await page.goto(await address(child));
  await page.locator("[data-testid=question]").waitFor();
  await page.getByLabel("Not now").click();
  await page.waitForTimeout(500);

  /** @type {Frame[]} */
  const frames = [];
  /** @type {string | null} */
  let before = null;
  const keep = async (/** @type {number} */ duration) => {
    await page.waitForTimeout(250);
    const after = (await page.screenshot()).toString("base64");
    const part = await difference(helper, before, after);
    const last = frames.at(-1);
    if (part !== null) frames.push({ ...part, webp: Buffer.from(part.webp, "base64"), duration });
    else if (last !== undefined) last.duration += duration;
    before = after;
  };
  const click = async (/** @type {import("playwright-core").Locator} */ target) => {
    await target.hover();
    await keep(700);
    await target.click();
  };

  await keep(2500);
  for (;;) {
    if (await page.getByTestId("done").isVisible()) break;
    const question = (await page.getByTestId("question").textContent()) ?? "";
    const wrong = page.locator(".listed-calls li").filter({ hasText: "[1, 4, 9, 7]" }).filter({ hasNotText: "(values=[1, 4, 9, 7]" });
    if ((await wrong.count()) > 0) await click(wrong.first().getByRole("button", { name: "wrong" }));
    else await click(page.locator(`[data-answer=${question.includes("[1, 4, 9, 7]") ? "no" : "yes"}]`));
    await page.waitForFunction((text) => document.querySelector("[data-testid=question]")?.textContent !== text, question);
    await keep(2000);
  }
  const element = page.locator("[data-path='c[2]']");
  await element.hover();
  await click(element.getByRole("button", { name: "This part is wrong" }));
  await page.getByTestId("wrong-value").waitFor();
  await keep(2000);
  await element.hover();
  await click(element.getByRole("button", { name: "where from" }));
  await page.getByTestId("why").waitFor();
  await keep(2500);
  await click(page.getByRole("button", { name: "Report" }));
  await page.getByTestId("report").waitFor();
  await keep(4000);
  const made = animation(frames);
  writeFileSync(GOAL, made);
  console.log(`${frames.length} pictures, ${made.length} bytes: ${GOAL}`);
} finally {
  await chrome.close();
  child.kill();
}
