// What the page remembers between visits. It is kept in cookies: each server has a port of its own, and only cookies
// are shared between ports.

const A_YEAR = 365 * 24 * 3600;

export function recall(name: string): string | undefined {
  const cookie = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return cookie === undefined ? undefined : decodeURIComponent(cookie.slice(name.length + 1));
}

/** Remembers a word, or with `null` forgets it. */
export function remember(name: string, word: string | null): void {
  document.cookie = `${name}=${encodeURIComponent(word ?? "")}; path=/; max-age=${word === null ? 0 : A_YEAR}; samesite=strict`;
}
