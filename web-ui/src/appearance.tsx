// Light or dark: as the system has it, or as somebody wants it.

import { effect, signal } from "@preact/signals";

import { recall, remember } from "./cookie";

const NAME = "askance-appearance";

const CHOICES = {
  system: "◐ system",
  light: "☀ light",
  dark: "☾ dark",
} as const;
type Appearance = keyof typeof CHOICES;

const isChoice = (word: string | undefined): word is Appearance => word !== undefined && Object.hasOwn(CHOICES, word);

function remembered(): Appearance {
  const word = recall(NAME);
  return isChoice(word) ? word : "system";
}

export const appearance = signal<Appearance>(remembered());

effect(() => {
  document.documentElement.style.colorScheme = appearance.value === "system" ? "" : appearance.value;
});

function choose(word: string): void {
  if (!isChoice(word)) return;
  appearance.value = word;
  remember(NAME, word === "system" ? null : word);
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
