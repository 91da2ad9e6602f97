// A list of any length of which only the rows in sight exist.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";

export const ROW_HEIGHT = 22;
/** Browsers cannot make elements of any height; longer lists scroll in proportion. */
const TALLEST = 8_000_000;

interface Props {
  count: number;
  /** Draws one row. */
  row: (index: number) => ComponentChildren;
  /** A row to bring into sight, whenever `wish` changes. */
  wanted: number | null;
  wish: unknown;
  label: string;
  role?: "tree" | "listbox" | "list";
  onKeyDown?: (event: KeyboardEvent) => void;
  active?: string | undefined;
}

export function Rows({ count, row, wanted, wish, label, role = "listbox", onKeyDown, active }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(0);
  const whole = count * ROW_HEIGHT;
  const tall = Math.min(whole, TALLEST);
  const scale = tall > height && whole > tall ? (whole - height) / (tall - height) : 1;

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || wanted === null || height === 0) return;
    const place = wanted * ROW_HEIGHT;
    const seen = element.scrollTop * scale;
    if (place < seen || place + 2 * ROW_HEIGHT > seen + height) {
      element.scrollTop = Math.max(0, place - height / 3) / scale;
      setTop(element.scrollTop);
    }
  }, [wanted, wish, height, count > 0]);

  const first = Math.max(0, Math.floor((top * scale) / ROW_HEIGHT) - 4);
  const last = Math.min(count, first + Math.ceil(height / ROW_HEIGHT) + 8);
  const drawn = [];
  for (let index = first; index < last; index += 1) {
    const y = index * ROW_HEIGHT - top * scale + top;
    drawn.push(
      <div class="row-slot" key={index} style={{ transform: `translateY(${y}px)` }}>
        {row(index)}
      </div>,
    );
  }
  return (
    <div
      class="rows"
      ref={box}
      tabIndex={0}
      role={role}
      aria-label={label}
      aria-activedescendant={active}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <div class="rows-height" style={{ height: `${tall}px` }}>
        {drawn}
      </div>
    </div>
  );
}
