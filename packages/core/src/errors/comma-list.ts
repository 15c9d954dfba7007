/**
 * The values of a list that is written as text: separated by commas, with spaces around them left out. A value in double
 * quotes, as in CSV, can contain a comma; two double quotes in it are one: `"Washington, D.C.",Alabama`.
 */
export function readCommaList(
  text: string,
): { readonly values: readonly string[] } | { readonly problem: string } {
  const values: string[] = [];
  for (let rest: string | undefined = text; rest !== undefined; ) {
    const trimmed = rest.trimStart();
    const [item, value] = trimmed.startsWith('"') ? quoted(trimmed) : plain(trimmed);
    if (item === undefined || value === undefined) {
      return { problem: `has a double quote without its pair in ${shown(trimmed)}` };
    }
    const after = trimmed.slice(item.length).trimStart();
    if (after !== '' && !after.startsWith(',')) {
      return { problem: `has a text after the double quotes in ${shown(trimmed)}` };
    }
    values.push(value);
    rest = after === '' ? undefined : after.slice(1);
  }
  return { values };
}

/** The hint for a problem of `readCommaList`. */
export const COMMA_LIST_HINT =
  'Put a value with a comma into double quotes, and double the double quotes within it: "Washington, D.C.",Alabama,"6"" pipe".';

/** The list that is read as these values. */
export function writeCommaList(values: readonly string[]): string {
  return values.map(writeListValue).join(',');
}

/** A value, in double quotes if it needs them. */
function writeListValue(value: string): string {
  const isPlain = value !== '' && value.trim() === value && !/[,"]|^\[/.test(value);
  return isPlain ? value : `"${value.replaceAll('"', '""')}"`;
}

type Item = readonly [text?: string, value?: string];

function quoted(text: string): Item {
  const [item] = /^"(?:[^"]|"")*"/.exec(text) ?? [];
  return item === undefined ? [] : [item, item.slice(1, -1).replaceAll('""', '"')];
}

function plain(text: string): Item {
  const [item = ''] = /^[^,]*/.exec(text) ?? [];
  return item.includes('"') ? [] : [item, item.trim()];
}

function shown(text: string): string {
  return `'${text.slice(0, 100)}'`;
}
