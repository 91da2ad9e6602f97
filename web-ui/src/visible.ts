// Signs that cannot be seen, made visible: a recorded text may turn the direction of writing round or hide a part of
// itself, and would show another text than the one that is there.

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu;

/** The text with every sign that is not printed written as Java writes it, `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, (sign) => {
    let written = "";
    for (let at = 0; at < sign.length; at += 1) written += `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`;
    return written;
  });
}
