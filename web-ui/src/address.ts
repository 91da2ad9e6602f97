// The page's address holds the place where the page is.

import { format, notedBy, parse, place } from "./place";

/** Goes where the address says, and keeps it true from now on. */
export function keepInAddress(): void {
  place.value = parse(location.hash);
  notedBy((change, isStep) => {
    const hash = format({ ...place.value, ...change });
    if (hash === format(place.value)) return;
    if (isStep) history.pushState(null, "", hash);
    else history.replaceState(null, "", hash);
  });
  window.addEventListener("popstate", () => {
    place.value = parse(location.hash);
  });
}
