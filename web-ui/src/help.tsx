// The sheet that `?` shows: what this is about, and the keys.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

import { useDismissed } from "./menu";
import { beginTour } from "./tour";

const isOpen = signal(false);

export const toggleHelp = () => (isOpen.value = !isOpen.value);

export function HelpButton() {
  return (
    <button class="small" title="What is this, and which keys are there? (?)" aria-haspopup="dialog" aria-expanded={isOpen.value} onClick={toggleHelp}>
      Help <kbd>?</kbd>
    </button>
  );
}

const KEYS: [string, [string, string][]][] = [
  [
    "Answer",
    [
      ["y", "yes, this call did right"],
      ["n", "no, it did wrong"],
      ["1 … 9", "of several calls: this one is wrong"],
      ["w", "name the value that is wrong"],
      ["d", "don’t know: ask something else"],
      ["i", "it should never have been called like this"],
      ["t", "trust this method from now on"],
      ["u", "take the last answer back"],
      ["z", "when a call was found: which line of it?"],
    ],
  ],
  [
    "Look around",
    [
      ["] [", "to the next line, to the line before"],
      ["} {", "into the next call, out to the caller"],
      ["↑ ↓ ← →", "in the tree, the values and the lists"],
      ["Enter", "in the tree: ask about this call; at a value: choose it"],
      ["o", "a picture of the whole run"],
      ["q", "ask the whole run by SQL: which calls, which values, how often"],
      ["?", "this sheet"],
      ["Esc", "close what is open"],
    ],
  ],
];

const WORDS: [string, string][] = [
  ["suspect", "a call that can still hold the bug"],
  ["right", "with what it was given, it did what it should; nothing that it called is asked about any more"],
  ["wrong", "what it was given was all right, what came out was not: the bug is in it or in what it called"],
  ["inadmissible", "it was given something that it should never get: the bug is in whoever called it"],
  ["trusted", "its own code is not suspected; what it calls still is"],
];

export function Help() {
  const box = useRef<HTMLDivElement>(null);
  const close = () => (isOpen.value = false);
  useDismissed(box, () => isOpen.value, close);
  useEffect(() => {
    if (isOpen.value) box.current?.focus();
  }, [isOpen.value]);
  if (!isOpen.value) return null;
  return (
    <div class="help" role="dialog" aria-label="Help" ref={box} tabIndex={-1} data-testid="help">
      <div class="help-head">
        <h2>How to find a bug here</h2>
        <button
          class="small"
          onClick={() => {
            close();
            beginTour();
          }}
        >
          Show me around
        </button>
        <button class="small" onClick={close}>
          Close <kbd>Esc</kbd>
        </button>
      </div>
      <p>
        Your program ran, and every call was recorded. Askance shows one call, or a few: what it was given, and what came out. You say whether
        that is right. Each answer rules out a part of the run, until one call is left that got the right things and did the wrong thing:
        there is the bug. Every value can be clicked: call it wrong, see its history, or follow it back to where it came from.
      </p>
      <div class="help-keys">
        {KEYS.map(([title, keys]) => (
          <section>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div>
                  <dt>
                    {key.split(" ").map((one) => (one === "…" ? " … " : <kbd>{one}</kbd>))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <h3>Words</h3>
      <dl class="help-words">
        {WORDS.map(([word, means]) => (
          <div>
            <dt>{word}</dt>
            <dd>{means}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
