// A value that can be pointed at: it may be called wrong, and asked for its history and for where it came from.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { useDismissed } from "./menu";
import { go } from "./place";
import { saved } from "./saved";
import { callWrong, info } from "./store";

interface Pointed {
  node: number;
  path: string;
  anchor: HTMLElement;
}

const pointed = signal<Pointed | null>(null);

interface Props {
  node: number;
  path: string;
  children: ComponentChildren;
  title?: string;
}

export function Alive({ node, path, children, title }: Props) {
  const isOpen = pointed.value?.path === path && pointed.value.node === node;
  return (
    <button
      class={`alive ${isOpen ? "open" : ""}`}
      aria-haspopup="menu"
      aria-expanded={isOpen}
      title={title ?? `${path}: wrong? its history? where from?`}
      data-alive={path}
      onClick={(event) => {
        const anchor = event.currentTarget;
        pointed.value = isOpen ? null : { node, path, anchor };
      }}
    >
      {children}
    </button>
  );
}

/** What can be done with the value that was pointed at. */
export function AliveMenu() {
  const box = useRef<HTMLDivElement>(null);
  const now = pointed.value;
  const close = () => {
    const anchor = pointed.value?.anchor;
    pointed.value = null;
    anchor?.focus();
  };
  useDismissed(box, () => pointed.value !== null, close);
  useEffect(() => {
    box.current?.querySelector("button")?.focus();
  }, [now]);
  if (now === null) return null;
  const { node, path, anchor } = now;
  const { left, bottom, top } = anchor.getBoundingClientRect();
  const isLow = bottom > window.innerHeight - 190;
  const vertical = isLow ? { bottom: `${window.innerHeight - top + 4}px` } : { top: `${bottom + 4}px` };
  const choose = (act: () => unknown) => () => {
    pointed.value = null;
    act();
  };
  const isRecorded = info.value?.recorded === true;
  const show = (panel: "history" | "why") => choose(() => go({ node, event: null, panel, variable: path, variableOf: node }));
  const hasHistory = path !== "return" && path !== "throws" && path !== "this";
  return (
    <div
      class="value-menu"
      ref={box}
      role="menu"
      aria-label={`What about ${path}?`}
      style={{ left: `${Math.min(left, window.innerWidth - 260)}px`, ...vertical }}
      onKeyDown={(event) => {
        const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
        if (by === 0) return;
        event.preventDefault();
        const items = [...(box.current?.querySelectorAll("button") ?? [])];
        const at = items.findIndex((item) => item === document.activeElement);
        items[(at + by + items.length) % items.length]?.focus();
      }}
    >
      <p class="quiet clip">
        <code>{path}</code>
      </p>
      {saved === null && (
        <button role="menuitem" data-menu="wrong" onClick={choose(() => callWrong(node, path))}>
          <span class="sign wrong">✗</span> This is wrong
        </button>
      )}
      {isRecorded && hasHistory && (
        <button role="menuitem" data-menu="history" onClick={show("history")}>
          <span class="sign">≡</span> History: every write of it
        </button>
      )}
      {isRecorded && (
        <button role="menuitem" data-menu="why" onClick={show("why")}>
          <span class="sign">←</span> Where it came from
        </button>
      )}
    </div>
  );
}
