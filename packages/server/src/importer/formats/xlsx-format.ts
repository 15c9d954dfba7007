import type { FoundProblems } from '../problems/found-problems.ts';
import type { RowProblem } from '../problems/import-error.ts';
import { csvFormat } from './csv-format.ts';
import type { OpenedRows, RowFormat, RowPlace } from './row-format.ts';
import type { SourceFile } from './source-file.ts';

/** A sheet of an Excel workbook. It was copied as CSV, so only the places of its rows differ. */
export const xlsxFormat: RowFormat = {
  columnsVary: false,
  open: async ({ source, ...context }) => {
    const reading = { ...source.reading, delimiter: ',', quote: '"' };
    const opened = await csvFormat.open({ ...context, source: { ...source, reading } });
    return 'found' in opened
      ? { found: inRows(opened.found, context.file) }
      : { rows: withRows(opened.rows) };
  },
};

function withRows(rows: OpenedRows): OpenedRows {
  const { file } = rows;
  return {
    ...rows,
    scan: async () => {
      const scanned = await rows.scan();
      return 'found' in scanned ? { found: inRows(scanned.found, file) } : scanned;
    },
    findRejects: async () => inRows(await rows.findRejects(), file),
    explainFailure: async (error) => inRows(await rows.explainFailure(error), file),
    locate: async (numbers) => {
      const places = await rows.locate(numbers);
      return new Map([...places].map(([number, place]) => [number, inRow(place, file)]));
    },
  };
}

function inRows(found: FoundProblems, file: SourceFile): FoundProblems {
  return {
    ...found,
    examples: found.examples.map((example) => ({
      ...example,
      problem: inRow(example.problem, file),
    })),
  };
}

/** A line of the copy is a row of the sheet. */
function inRow<Place extends RowPlace | RowProblem>(
  place: Place,
  { rowOfLine }: SourceFile,
): Place {
  const { line, ...rest } = place;
  if (line === undefined || rowOfLine === undefined) return place;
  // The rest has all members of the place but one that is optional.
  return { ...(rest as Place), row: rowOfLine(line) };
}
