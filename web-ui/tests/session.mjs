// What someone who knows merge sort does at the page.

/** @typedef {import("playwright-core").Page} Page */

/** Whether what the question panel shows is right, judged by the numbers that calls gave or left.
 * @param {string} text the question as one text */
export function isRight(text) {
  const taken = [...text.matchAll(/\b(sort|merge|slice)\([^()]*\) → (\[[-\d, ]*\])?/g)];
  const changed = [...text.matchAll(/→\s+\[([-\d, ]*)\]/g)].map((found) => found[1] ?? "");
  if (taken.length > 0) return taken.every(([, name, result]) => name !== "sort" || isSorted(result ?? ""));
  if (/Main\.main\b/.test(text)) return false;
  return /Main\.slice\b/.test(text) || isSorted(changed.at(-1) ?? "");
}

/** @param {string} list */
function isSorted(list) {
  const numbers = list.replaceAll(/[[\]]/g, "").split(",").map(Number);
  return numbers.every((number, place) => place === 0 || number >= (numbers[place - 1] ?? number));
}

/** Answers until there is a diagnosis, and gives the number of answers.
 * @param {Page} page
 * @param {(page: Page, said: "yes" | "no") => Promise<void>} answer */
export async function debug(page, answer) {
  for (let answers = 0; answers < 20; answers += 1) {
    await page.locator("[data-testid=question], [data-testid=done]").first().waitFor();
    const question = page.getByTestId("question");
    if ((await question.count()) === 0) return answers;
    const text = (await question.innerText()).replaceAll("\n", " ");
    const before = await listed(page);
    await answer(page, isRight(text) ? "yes" : "no");
    await page.waitForFunction((count) => document.querySelectorAll("[data-testid=answers] .answer").length > count, before);
  }
  throw new Error("too many questions");
}

/** How many answers are listed.
 * @param {Page} page */
export function listed(page) {
  return page.locator("[data-testid=answers] .answer").count();
}

/** @param {Page} page @param {"yes" | "no"} said */
export async function byMouse(page, said) {
  await page.locator(`[data-answer=${said}]:enabled`).click();
}

/** @param {Page} page @param {"yes" | "no"} said */
export async function byKeyboard(page, said) {
  await page.locator(`[data-answer=${said}]:enabled`).waitFor();
  await page.keyboard.press(said === "yes" ? "y" : "n");
}

/** What is wrong to see in the demo: the numbers are not in order. */
const WRONG = "[1, 4, 9, 7]";

/** Finds the bug of `askance demo` as somebody would who sees it for the first time, and points at the wrong value.
 * @param {Page} page
 * @param {(what: () => Promise<unknown>) => Promise<void>} does what a click is done by */
export async function findFirst(page, does) {
  for (;;) {
    await page.locator("[data-testid=question], [data-testid=done]").first().waitFor();
    if (await page.getByTestId("done").isVisible()) break;
    const before = (await page.getByTestId("question").textContent()) ?? "";
    const wrong = page.locator(".listed-calls li").filter({ hasText: WRONG }).filter({ hasNotText: `(values=${WRONG}` });
    if ((await wrong.count()) > 0) await does(() => wrong.first().getByRole("button", { name: "wrong" }).click());
    else await does(() => page.locator(`[data-answer=${before.includes(WRONG) ? "no" : "yes"}]`).click());
    await page.waitForFunction((text) => document.querySelector("[data-testid=question]")?.textContent !== text, before);
  }
  // 9 stands where 7 belongs.
  const element = page.locator("[data-path='c[2]']");
  await element.hover();
  await does(() => element.getByRole("button", { name: "This part is wrong" }).click());
  await page.getByTestId("wrong-value").getByText("Main.merge, line 46").waitFor();
}
