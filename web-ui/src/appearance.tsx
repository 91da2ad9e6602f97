// Light or dark: as the system has it, or as somebody wants it.
//
// The choice is a cookie: each server has a port of its own, and only cookies are shared between ports.

import { effect, signal } from "@preact/signals";

const NAME = "askance-appearance";
const A_YEAR = 365 * 24 * 3600;

const CHOICES = {
  system: "◐ system",
  light: "☀ light",
  dark: "☾ dark",
} as const;
type Appearance = keyof typeof CHOICES;

const isChoice = (word: string | undefined): word is Appearance => word !== undefined && Object.hasOwn(CHOICES, word);

function remembered(): Appearance {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${NAME}=`));
  const word = cookie?.slice(NAME.length + 1);
  return isChoice(word) ? word : "system";
}

export const appearance = signal<Appearance>(remembered());

effect(() => {
  document.documentElement.style.colorScheme = appearance.value === "system" ? "" : appearance.value;
});

function choose(word: string): void {
  if (!isChoice(word)) return;
  appearance.value = word;
  document.cookie = `${NAME}=${word}; path=/; max-age=${word === "system" ? 0 : A_YEAR}; samesite=strict`;
}

export function AppearanceSwitch() {
  return (
    <select
      class="appearance"
      aria-label="Light or dark"
      title="Light or dark"
      value={appearance.value}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {Object.entries(CHOICES).map(([word, shown]) => (
        <option value={word}>{shown}</option>
      ))}
    </select>
  );
}
