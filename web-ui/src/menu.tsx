// What opens and goes away again: on Escape, on a click anywhere else, and after a choice.

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** Calls `close` on Escape and on a click outside of an element. */
export function useDismissed(element: RefObject<HTMLElement | null>, isOpen: () => boolean, close: () => void): void {
  useEffect(() => {
    const clicked = (event: Event) => {
      const { target } = event;
      if (!isOpen() || !(target instanceof Element)) return;
      // What has opened it closes it by itself.
      if (element.current?.contains(target) !== true && target.closest("[aria-haspopup][aria-expanded=true]") === null) close();
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || !isOpen()) return;
      event.stopPropagation();
      close();
    };
    document.addEventListener("pointerdown", clicked, true);
    document.addEventListener("keydown", pressed, true);
    return () => {
      document.removeEventListener("pointerdown", clicked, true);
      document.removeEventListener("keydown", pressed, true);
    };
  });
}

interface Props {
  class: string;
  label: string;
  head: ComponentChildren;
  children: ComponentChildren;
  /** Whether a click inside is a choice that closes it. */
  closes?: boolean;
}

/** A button with something below it that is usually folded away. */
export function Folded({ class: name, label, head, children, closes = false }: Props) {
  const box = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (box.current === null) return;
    const hadFocus = box.current.contains(document.activeElement);
    box.current.open = false;
    if (hadFocus) box.current.querySelector("summary")?.focus();
  };
  useDismissed(box, () => box.current?.open === true, close);
  return (
    <details class={name} ref={box}>
      <summary title={label} {...(typeof head === "string" && head.length > 2 ? {} : { "aria-label": label })}>
        {head}
      </summary>
      <div class="folded" onClick={closes ? close : undefined}>
        {children}
      </div>
    </details>
  );
}
