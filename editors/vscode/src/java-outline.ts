// Where in a Java file a program or a test begins, as far as its text tells. No compiler is asked: a file that is being
// written need not compile, and what is found here is only offered.

/** Something that can be recorded. */
export interface Beginning {
  kind: "main" | "test" | "class";
  /** The class with its package, as the JVM names it. */
  className: string;
  /** The method; none for a whole test class. */
  method: string | null;
  /** Counted from 0. */
  line: number;
}

/** The same text with blanks for comments, strings and characters, so that every sign keeps its place. */
export function withoutComments(text: string): string {
  const blank = (found: string) => found.replaceAll(/[^\n]/g, " ");
  return text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])+'?/g, blank);
}

const TEST = /@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b/;
const MAIN = /\bstatic\b[^;{}()]*\bvoid\s+main\s*\(\s*(?:final\s+)?(?:java\.lang\.)?String\b/;
const TYPE = /\b(?:class|interface|enum|record)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const METHOD = /([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*(?:throws\b[^{};]*)?$/u;

interface Open {
  /** The type's name; none for any other block. */
  name: string | null;
  line: number;
  hasTests: boolean;
}

/** What can be recorded of a file, in the order of its text. */
export function beginnings(text: string): Beginning[] {
  const code = withoutComments(text);
  const packageName = /^\s*package\s+([\w.]+)\s*;/m.exec(code)?.[1];
  const prefix = packageName === undefined ? "" : `${packageName}.`;
  const found: Beginning[] = [];
  const open: Open[] = [];
  let start = 0;
  for (let at = 0; at < code.length; at += 1) {
    const sign = code[at];
    if (sign === ";") start = at + 1;
    if (sign === "}") {
      const closed = open.pop();
      if (closed?.name != null && closed.hasTests) {
        found.push({ kind: "class", className: prefix + nameOf([...open, closed]), method: null, line: closed.line });
      }
      start = at + 1;
    }
    if (sign !== "{") continue;
    const head = code.slice(start, at);
    // Lists of annotations and bodies of lambdas: nothing in them is offered.
    if (isInParentheses(head)) {
      at = closing(code, at);
      continue;
    }
    const within = open.at(-1);
    const isMember = within !== undefined && within.name !== null;
    const declared = declarationLine(code, start, head);
    const type = TYPE.exec(withoutAnnotations(head));
    const method = METHOD.exec(withoutAnnotations(head).trimEnd());
    if (type !== null && (open.length === 0 || isMember)) {
      open.push({ name: type[1] ?? null, line: declared, hasTests: false });
    } else {
      if (isMember && method?.[1] !== undefined) {
        const className = prefix + nameOf(open);
        if (TEST.test(head)) {
          within.hasTests = true;
          found.push({ kind: "test", className, method: method[1], line: declared });
        } else if (MAIN.test(head)) {
          found.push({ kind: "main", className, method: "main", line: declared });
        }
      }
      open.push({ name: null, line: declared, hasTests: false });
    }
    start = at + 1;
  }
  return found.sort((one, other) => one.line - other.line);
}

function nameOf(open: Open[]): string {
  return open.flatMap(({ name }) => name ?? []).join("$");
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** Where the brace that opens here is closed. */
function closing(code: string, opening: number): number {
  let depth = 0;
  for (let at = opening; at < code.length; at += 1) {
    if (code[at] === "{") depth += 1;
    if (code[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

function isInParentheses(head: string): boolean {
  return count(head, "(") > count(head, ")");
}

function withoutAnnotations(head: string): string {
  return head.replaceAll(/@(?!interface\b)[\w.]+(?:\s*\((?:[^()]|\([^()]*\))*\))?/g, (found) => found.replaceAll(/[^\n]/g, " "));
}

/** The line where a declaration begins behind its annotations. */
function declarationLine(code: string, start: number, head: string): number {
  const bare = withoutAnnotations(head);
  const first = bare.length - bare.trimStart().length;
  return count(code.slice(0, start + first), "\n");
}
