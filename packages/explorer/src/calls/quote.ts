/** Quotes any text for a shell of POSIX. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a text for JSON. */
export function quoteJson(text: string): string {
  return JSON.stringify(text).replace(UNSEEN, escapeUnit);
}

/** Quotes a text for TypeScript, as a formatter would: in single quotes unless it has some itself. */
export function quoteTypeScript(text: string): string {
  if (text.includes("'") && !text.includes('"')) return quoteJson(text);
  const inside = quoteJson(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

/** Quotes a text for Python. Its escapes include those of JSON but for `\/`, which is never written. */
export function quotePython(text: string): string {
  return quoteJson(text);
}

/**
 * Signs that are not seen, change the direction of the text around them or end a line for some readers. A pasted text
 * has them as escapes, so that it does what it looks like. They are all of one code unit.
 */
const UNSEEN =
  /[\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

function escapeUnit(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
