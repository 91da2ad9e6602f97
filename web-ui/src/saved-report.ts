// The report as a file that opens without Askance: one page, with its style in it and nothing to load.

import colours from "./colours.css?inline";
import style from "./report.css?inline";

/** What the file needs of the page's own style. */
const BASICS = `
body { margin: 0; }
code, pre { font-family: var(--mono); font-size: 12px; }
p { margin: 0 0 6px; }
.quiet { color: var(--quiet); }
.sign { display: inline-block; width: 16px; font-weight: 700; }
.sign.correct { color: var(--right); }
.sign.wrong { color: var(--wrong); }
.sign.trusted { color: var(--warn); }
.overruled { opacity: .5; text-decoration: line-through; }
.list { width: 100%; border-collapse: collapse; }
.list td { padding: 3px 10px; border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: anywhere; }
`;

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The file's text. */
export function standalone(article: Element, title: string): string {
  const copy = article.cloneNode(true) as Element;
  // What only works on the page.
  for (const gone of copy.querySelectorAll(".report-bar, .page-only")) gone.remove();
  for (const button of copy.querySelectorAll("button")) button.replaceWith(...button.childNodes);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${colours}${BASICS}${style}</style>
</head>
<body>
<main class="report">${copy.outerHTML}</main>
</body>
</html>
`;
}

/** Hands a text to the person as a file. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/html" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken it by then.
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
