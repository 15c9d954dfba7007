import { type CsvDialect, scanCsvRecords } from './csv-lines.ts';
import { type FoundProblems, foundProblem } from './found-problems.ts';
import { readBytes, type SourceFile } from './source-file.ts';

/**
 * Finds lines that are longer than the limit, or undefined when there are none. DuckDB rejects most
 * of them, but one that is longer than its buffer it leaves out without a word.
 */
export async function findLongLines(
  file: SourceFile,
  dialect: CsvDialect,
  lineBytesMax: number,
): Promise<FoundProblems | undefined> {
  // How large a packed file is inside is known only once it was read.
  if (!file.isGzip && file.bytes <= lineBytesMax) return undefined;
  if (!(await hasLongLine(file, lineBytesMax))) return undefined;
  for await (const { line, start, end } of scanCsvRecords(readBytes(file), dialect)) {
    if (end - start > lineBytesMax) {
      const long = foundProblem(file.number, {
        file: file.label,
        line,
        reason: 'the line is too long for one row',
        hint: `A row has at most ${lineBytesMax / 2 ** 20} MiB. A quote that is not closed may have taken in the lines after it.`,
      });
      return { ...long, isOfFile: true };
    }
  }
  return undefined;
}

/** Looks only at the first and last line break of each chunk, which is shorter than the limit. */
async function hasLongLine(file: SourceFile, lineBytesMax: number): Promise<boolean> {
  let lineBytes = 0;
  for await (const chunk of readBytes(file)) {
    const breaks = [chunk.indexOf('\n'), chunk.indexOf('\r')].filter((index) => index >= 0);
    if (lineBytes + Math.min(chunk.length, ...breaks) > lineBytesMax) return true;
    const last = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r'));
    lineBytes = last < 0 ? lineBytes + chunk.length : chunk.length - last - 1;
  }
  return false;
}
