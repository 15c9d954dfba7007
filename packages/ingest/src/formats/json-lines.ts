import { engineReason } from '@locmetrics/column-store/publish/engine-error';
import { type Example, type FoundProblems, fileProblem } from '../problems/found-problems.ts';
import { PROBLEMS_MAX, type RowProblem } from '../problems/import-error.ts';
import type { RowPlace } from './row-format.ts';
import { readBytes, type SourceFile } from './source-file.ts';
import { byteText, encodingHint, wrongIndexes } from './utf8-meter.ts';

/** The lines of objects by the numbers of the objects. Blank lines are not objects. */
export async function locateJsonLines(
  file: SourceFile,
  rows: readonly number[],
): Promise<ReadonlyMap<number, RowPlace>> {
  const places = new Map<number, RowPlace>();
  const wanted = new Set(rows);
  let row = 0;
  for await (const { line, bytes } of readLines(file)) {
    if (isBlankLine(bytes)) continue;
    if (wanted.has(row)) places.set(row, { line });
    if (places.size === wanted.size) break;
    row += 1;
  }
  return places;
}

/**
 * Finds the lines that are not JSON. DuckDB stops at the first one and reports a wrong line number, so all of
 * them are searched here after it has failed.
 */
export async function findBrokenJsonLines(file: SourceFile, error: Error): Promise<FoundProblems> {
  const examples: Example[] = [];
  const counts = new Map<string, number>();
  for await (const { line, bytes } of readLines(file)) {
    if (isBlankLine(bytes)) continue;
    const broken = explainLine(bytes);
    if (broken === undefined) continue;
    const { detail = '', ...problem } = broken;
    const seen = counts.get(problem.reason) ?? 0;
    counts.set(problem.reason, seen + 1);
    if (seen >= PROBLEMS_MAX) continue;
    examples.push({
      problem: { file: file.label, line, ...problem, reason: `${problem.reason}${detail}` },
      countedReason: problem.reason,
      fileNumber: file.number,
      position: line,
    });
  }
  if (examples.length > 0) {
    return { examples, counts: [...counts].map(([reason, count]) => ({ reason, count })) };
  }
  return fileProblem(file, {
    reason: `cannot be read as JSON lines (${engineReason(error)})`,
    hint: 'Write one JSON object on each line.',
  });
}

function explainLine(bytes: Buffer):
  | (Pick<RowProblem, 'value' | 'reason' | 'hint'> & {
      /** Follows the reason in an example. */
      readonly detail?: string;
    })
  | undefined {
  const shown = { value: bytes.subarray(0, 1000).toString('utf8').trim() };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [index = 0] = wrongIndexes(bytes);
    const byte = bytes[index] ?? 0;
    const detail = ` (byte 0x${byteText(byte)} in column ${index + 1} of the line)`;
    return { ...shown, reason: 'is not UTF-8', detail, hint: encodingHint({ byte }) };
  }
  let isWellFormed = true;
  try {
    JSON.parse(text, (_key, value) => {
      if (typeof value === 'string' && !value.isWellFormed()) isWellFormed = false;
      return value;
    });
  } catch {
    return { ...shown, reason: 'is not JSON', hint: 'Write one JSON object on each line.' };
  }
  if (!isWellFormed) {
    return {
      ...shown,
      reason: 'has half of a surrogate pair',
      hint: 'Write both halves of a character above U+FFFF, or the character itself.',
    };
  }
  return undefined;
}

/** The lines of a file as bytes, counted from 1, without their line breaks LF or CRLF. */
async function* readLines(
  file: SourceFile,
): AsyncGenerator<{ readonly line: number; readonly bytes: Buffer }> {
  let line = 1;
  let parts: Buffer[] = [];
  for await (const chunk of readBytes(file)) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end));
      yield { line, bytes: withoutReturn(Buffer.concat(parts)) };
      parts = [];
      line += 1;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
  }
  const bytes = Buffer.concat(parts);
  if (bytes.length > 0) yield { line, bytes };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes;
}

/** Whether a line is only JSON white space. */
function isBlankLine(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === CARRIAGE_RETURN);
}
