import { openQuotes } from '../../formats/join-header.ts';

/** A record of a table, and the index of its first line. */
export type TextRecord = { readonly text: string; readonly line: number };

/** The records of lines: a quoted value can go on in the next lines. Its line breaks become spaces. */
export function textRecords(lines: readonly string[], quote: string): readonly TextRecord[] {
  const records: TextRecord[] = [];
  for (let line = 0; line < lines.length; ) {
    const count = lineCount(lines, line, quote);
    records.push({ text: lines.slice(line, line + count).join(' '), line });
    line += count;
  }
  return records;
}

/** The lines of a record; 1 if a quote is not closed soon. */
function lineCount(lines: readonly string[], start: number, quote: string): number {
  const follow = openQuotes({ quote });
  let isOpen = false;
  for (let count = 1; count <= LINES_MAX; count += 1) {
    const text = lines[start + count - 1];
    if (text === undefined) return 1;
    for (const character of text) isOpen = follow(character.charCodeAt(0));
    if (!isOpen) return count;
    follow(LINE_FEED);
  }
  return 1;
}

const LINES_MAX = 20;
const LINE_FEED = 0x0a;

/** A line in which a backslash stands before a quote, as the escape of a quote within a value. */
export function findEscape(lines: readonly string[]): string | undefined {
  return lines.find((line) =>
    /(^|[,;\t|])\s*"([^"\\]|\\.)*\\"([^"\\]|\\.)*[^\s,;\t|"\\]([^"\\]|\\.)*"\s*([,;\t|]|$)/.test(
      line,
    ),
  );
}

/** A line with doubled quotes instead of escaped ones. */
export function withoutEscapes(line: string): string {
  return line.replaceAll(/\\(["\\])/g, (_, character: string) => (character === '"' ? '""' : '\\'));
}
