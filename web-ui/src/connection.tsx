// Whether there is still a server to ask. If not, that is told at once, and for as long as it is so.

import { signal } from "@preact/signals";

/** The server does not answer. */
export const isGone = signal(false);

export function Connection() {
  if (!isGone.value) return null;
  return (
    <p class="gone" role="alert" data-testid="gone">
      <strong>Askance is not running any more.</strong> What you see stays readable, but nothing more can be asked or answered. Your answers
      are kept: start it again, with the same command, and open the address that it prints.
    </p>
  );
}
