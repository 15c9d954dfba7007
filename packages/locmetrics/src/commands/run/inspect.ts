import type { DraftDataset } from '@locmetrics/ingest/draft/draft-dataset';
import type { Lists, Run } from '../../cli/define-command.ts';
import { formatTable, type Output } from '../../cli/output.ts';
import { draftFiles } from './draft-files.ts';

/** Tells what files have in them, and writes nothing. */
export const inspectAction: Run<Lists<'files'>> = async (output, { files, settings }) => {
  const given = { files, folder: process.cwd(), schema: '', settings };
  const { datasets } = await draftFiles(output, given);
  // Places without anything but their id say nothing that their values do not.
  const told = datasets.filter(({ isLayer, fields }) => isLayer !== true || fields.length > 1);
  for (const dataset of told) showDataset(output, dataset);
  output.messages(`To write a manifest: locmetrics init ${files.join(' ')}\n`);
};

function showDataset(output: Output, dataset: DraftDataset): void {
  for (const { file, format, encoding, reading, sheets, doubts } of dataset.files) {
    const {
      delimiter,
      isSpaced,
      spacesMin,
      skipLines,
      skipBelowHeader,
      repeatedHeaders,
      footer,
      hasHeader,
    } = reading;
    const parts = [
      format,
      ...(encoding === undefined ? [] : [encoding]),
      ...(delimiter === undefined
        ? []
        : [
            `delimiter ${isSpaced ? (spacesMin === undefined ? 'spaces' : 'two or more spaces') : JSON.stringify(delimiter)}`,
          ]),
      ...(hasHeader ? [] : ['no header']),
      ...(skipLines === 0 ? [] : [`${skipLines} lines above the header`]),
      ...(skipBelowHeader === 0 ? [] : [`${skipBelowHeader} lines below the header`]),
      ...(repeatedHeaders ? ['repeated headers'] : []),
      ...(footer === 0
        ? []
        : [typeof footer === 'number' ? `${footer} lines below the rows` : `a footer '${footer}'`]),
      ...(sheets.length < 2 ? [] : [`sheets ${sheets.join(', ')}`]),
    ];
    output.data(`${file.path}: ${parts.join(', ')}\n`);
    for (const text of [...doubts.values()].flat()) output.data(`  ${text}\n`);
  }
  const { rowCount, key, nulls, wide, rejectedCount, rejectedExample } = dataset;
  output.data(`  ${rowCount.toLocaleString('en-US')} rows`);
  if (wide !== undefined) output.data(`, one for each ${wide.name} of ${wide.used.length} columns`);
  output.data(`; key ${key.fields.join(', ')}`);
  if (key.repeatedCount > 0) {
    output.data(
      `, which ${key.repeatedCount.toLocaleString('en-US')} rows repeat, of which ${key.conflictCount.toLocaleString('en-US')} differ`,
    );
  }
  output.data('\n');
  if (nulls.length > 0) output.data(`  absent: ${nulls.join(' ')}\n`);
  if (rejectedCount > 0)
    output.data(`  ${rejectedCount} rows cannot be read: ${rejectedExample}\n`);
  const rows = dataset.fields.map(({ name, document, column: read, doubts }) => {
    const { type, column = name, expression, ...rest } = document;
    const isComputed = expression !== undefined && read !== undefined;
    const how = [
      ...Object.entries(rest).map(([key_, value]) => `${key_} ${value}`),
      ...(isComputed ? ['expression'] : []),
    ];
    const source = isComputed
      ? read
      : (expression ?? (Array.isArray(column) ? column.join(' + ') : String(column)));
    return ['', source, name, type, how.join(', '), doubts.join(' ')];
  });
  const table = formatTable(['', 'column', 'field', 'type', 'written', 'to check'], rows);
  output.data(`${table}\n`);
}
