import { findFeatureField } from '@locmetrics/core/domain/feature-field';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { expect, test } from 'vitest';
import { sheetOf, workbook } from './formats/workbook.ts';
import { refusalByManifest } from './import-by-manifest.ts';

const manifest = (columns: readonly [string, string], more = '', file = 'p.csv') => `files: ${file}
${more}
key: [id]
fields:
  id: { type: string, column: ${columns[0]} }
  n: { type: integer, column: ${columns[1]} }`;

const refusal = (text: string, columns: readonly [string, string], more = '') =>
  refusalByManifest(manifest(columns, more), { 'p.csv': text });

test('a column that is named by its position without steps has the number to write', async () => {
  expect(await refusal('id,,n\nA,1,2\n', ['id', 'column 2'])).toBe(
    "p.csv: n: the column 'column 2' is missing. Only after steps, or beside expressions, a column is named by its position. Here, write the number: column: 2.",
  );
});

test('after steps, columns with names are not named by their positions, and those of repeated names are', async () => {
  const steps = "rows: [{ where: 'true' }]";
  expect(await refusal('id,n\nA,1\n', ['column 1', 'n'], steps)).toBe(
    "p.csv: id: after the steps the column 'column 1' is missing. Column 1 has a name of its own: column: id. Only blank and repeated names are replaced by the position.",
  );
  expect(await refusal('id,n,N\nA,1,2\n', ['id', 'n'], steps)).toBe(
    "p.csv: n: after the steps the column 'n' is missing. The header has this name 2 times, so the columns are named by their positions: 'column 2' and 'column 3'.",
  );
});

test('a wrong number of lines above the header is named as the cause', async () => {
  const text = 'Table 1,,\nStand,2024,\nid,n,x\nA,1,2\n';
  const columns = ['id', 'n'] as const;
  const place = (line: number, names: string, what: string) =>
    `Line ${line} is read as the header: ${names}. If the names are in another line, ${what} the number of lines above it: read: { skip_lines }.`;
  expect(await refusal(text, columns)).toContain(
    `the column 'id' is missing. ${place(1, 'Table 1, …', 'declare')}`,
  );
  expect(await refusal(text, columns, 'read: { skip_lines: 1 }')).toContain(
    place(2, 'Stand, 2024, …', 'correct'),
  );
  expect(await refusal(text, columns, 'read: { skip_lines: 3 }')).toContain(
    place(4, 'A, 1, 2', 'correct'),
  );
  expect(await refusal(text, columns, 'read: { skip_lines: 30 }')).toBe(
    'p.csv:31: no line is left below the 30 of read: { skip_lines }. Write the number of lines above the header.',
  );
});

test('known names that are blank are not listed', () => {
  expect(nameHint('visits', ['Table 1', '', ' '])).toBe('Known: Table 1.');
  expect(nameHint('visits', ['', ''])).toBe('No names are defined.');
});

test('a cell beside the table of a sheet gets no advice on quotes', async () => {
  const sheet = workbook({
    sheets: {
      Data: sheetOf([
        ['id', 'n'],
        ['A', '1', 'x'],
      ]),
    },
  });
  const found = await refusalByManifest(manifest(['id', 'n'], '', 'p.xlsx'), { 'p.xlsx': sheet });
  expect(found).toContain('A cell to the right of the header has a value: give its column a name.');
  expect(found).not.toContain('quotes');
});

test.each(['k.A.', 'k. A.', 'n.d.', '(D)', '...', '*', 'unknown', '#REF!'])(
  'a word for an absent number has advice on nulls: %s',
  async (word) => {
    expect(await refusal(`id,n\nA,${word}\n`, ['id', 'n'])).toBe(
      `p.csv:2: n: '${word}' is not a whole number. Leave absent values empty. Or declare the text that means absent: read: { nulls: [...] }.`,
    );
  },
);

test('a time of day is not the place of a record', () => {
  const field = (name: string) => ({ name, type: 'string' as const });
  const found = (key: readonly string[]) =>
    findFeatureField({
      // The other members of a dataset are not read.
      dataset: {
        key,
        fields: key.map(field),
        period: { start: 'day', end: 'day' },
      } as unknown as Parameters<typeof findFeatureField>[0]['dataset'],
      layers: [],
      metrics: [],
    })?.name;
  expect([found(['hour', 'site', 'day']), found(['hour', 'day'])]).toEqual(['site', undefined]);
});
