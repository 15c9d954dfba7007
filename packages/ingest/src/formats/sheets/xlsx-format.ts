import { csvFormat } from '../csv-format.ts';
import { type RowFormat, replaceLines } from '../row-format.ts';

/** A sheet of an Excel workbook. It was copied as CSV, so only the places of its rows differ. */
export const xlsxFormat: RowFormat = {
  columnsVary: false,
  open: async ({ source, ...context }) => {
    const reading = { ...source.reading, delimiter: ',', quote: '"' };
    const opened = await csvFormat.open({ ...context, source: { ...source, reading } });
    const { rowOfLine } = context.file;
    return rowOfLine === undefined
      ? opened
      : replaceLines(opened, (line) => ({ row: rowOfLine(line) }));
  },
};
