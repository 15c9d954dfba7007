import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';
import { number, other, shared, text, workbook } from './workbook.ts';
import { zipArchive } from './zip-archive.ts';

const declare = (fields: string, more = '') => `files: p.xlsx
${more}key: [id]
fields:
  id: { type: string }
${fields}`;

test('the cells of a sheet are read as texts', async () => {
  const book = workbook({
    strings: [
      '<t>id</t>',
      '<r><t>va</t></r><r><t xml:space="preserve">lue </t></r><rPh><t>x</t></rPh>',
    ],
    sheets: {
      Data: {
        1: { A: shared(0), B: shared(1) },
        2: { A: text('001'), B: text(' a &lt;b&gt; "c", d ') },
        3: { A: number('7'), B: number('37.649999999999999') },
        4: { A: text('x'), B: other('b', '1') },
        5: { A: text('y'), B: other('e', '#N/A') },
        6: { A: text('z'), B: other('str', 'made_x0021_') },
        7: { A: text('n') },
        8: { A: number('1E21'), B: number('-0.5') },
      },
    },
  });
  expect(await valuesOf(declare('  value: { type: string }'), { 'p.xlsx': book })).toEqual([
    ['001', ' a <b> "c", d '],
    ['1e+21', '-0.5'],
    ['7', '37.65'],
    ['n', null],
    ['x', 'true'],
    ['y', '#N/A'],
    ['z', 'made!'],
  ]);
});

test('numbers that are shown as dates are dates', async () => {
  const sheet = (style: number, ...days: readonly string[]) =>
    Object.fromEntries([
      [1, { A: text('id'), B: text('day') }],
      ...days.map((day, index) => [index + 2, { A: text(String(index)), B: number(day, style) }]),
    ]);
  const dates = async (code: string, is1904: boolean, ...days: readonly string[]) => {
    const book = workbook({ formats: [code], is1904, sheets: { S: sheet(1, ...days) } });
    const rows = await valuesOf(declare('  day: { type: string }'), { 'p.xlsx': book });
    return rows.map(([, day]) => day);
  };
  expect(await dates('', false, '1', '59', '60', '61', '45292', '45292.75', '0.5')).toEqual([
    '1900-01-01',
    '1900-02-28',
    '60',
    '1900-03-01',
    '2024-01-01',
    '2024-01-01 18:00:00',
    '12:00:00',
  ]);
  expect(await dates('yyyy\\-mm\\-dd;@', false, '45351')).toEqual(['2024-02-29']);
  expect(await dates('[$-409]d/m/yy h:mm AM/PM;@', false, '45351.5')).toEqual([
    '2024-02-29 12:00:00',
  ]);
  expect(await dates('', true, '0', '43830')).toEqual(['1904-01-01', '2024-01-01']);
  expect(await dates('0.00&quot; days&quot;', false, '45351')).toEqual(['45351']);
  expect(await dates('[h]:mm', false, '1.5')).toEqual(['1.5']);
  const book = workbook({ formats: [''], sheets: { S: sheet(1, '45351') } });
  expect(await valuesOf(declare('  day: { type: date }'), { 'p.xlsx': book })).toEqual([
    ['0', '2024-02-29'],
  ]);
});

const TITLED = workbook({
  sheets: {
    Notes: { 1: { A: text('Nothing here') } },
    'County codes': {
      1: { A: text('Codes\nof 2018') },
      4: { B: text(' State\r\nCode '), C: text('Name'), D: text('Visits') },
      5: { B: text('01'), C: text('Al\na'), D: number('5') },
      7: { B: text('02'), C: text('Bo'), D: number('6') },
      8: { B: text('04'), C: text('Co'), D: text('many') },
      9: { C: text('') },
      10: { A: text('Source: us') },
    },
  },
});

const titled = (more = '', visits = 'string') => `files: p.xlsx
read: { sheet: County codes, skip_lines: 3, footer: 'Source:'${more} }
key: [code]
fields:
  code: { type: string, column: State Code }
  name: { type: string, column: 3 }
  visits: { type: ${visits}, column: Visits }`;

test('a named sheet, rows above the header and below the table, and names in several lines', async () => {
  const { rows, notices } = await importByManifest(titled(), { 'p.xlsx': TITLED });
  expect(rows.map((row) => row.slice(1, 4))).toEqual([
    ['01', 'Al\na', '5'],
    ['02', 'Bo', '6'],
    ['04', 'Co', 'many'],
  ]);
  expect(notices).toMatchInlineSnapshot(`
    [
      "p.xlsx: 3 rows above the header are left out, the first is 'Codes\\nof 2018'.",
      "p.xlsx: 1 row below the table is left out: 'Source: us'.",
      "These columns of the files are not used by any field: (blank).",
    ]
  `);
});

test('a wrong value is reported with its row in the sheet, also after cells of several lines', async () => {
  const wide = workbook({
    sheets: { S: { 1: { A: text('id') }, 2: { A: text('a') }, 4: { A: text('b'), B: text('x') } } },
  });
  expect(
    [
      await refusalByManifest(titled('', 'integer'), { 'p.xlsx': TITLED }),
      await refusalByManifest(titled(', nulls: [Co]', 'float'), { 'p.xlsx': TITLED }),
      await refusalByManifest(titled().replace('skip_lines: 3', 'skip_lines: 2'), {
        'p.xlsx': TITLED,
      }),
      await refusalByManifest(declare(''), { 'p.xlsx': wide }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.xlsx, row 8: visits: 'many' is not a whole number.
    p.xlsx, row 8: visits: 'many' is not a number.
    p.xlsx, row 3: the line below the 2 of read: { skip_lines } is blank. Write the number of lines above the header.
    p.xlsx, row 3: id: the key is absent.
    p.xlsx, row 4: '"b","x"' has more values than the header, which has 1 column. A cell to the right of the header has a value: give its column a name. If another row has the names, correct read: { skip_lines }."
  `);
});

test('a sheet goes through steps', async () => {
  const declaration = `files: p.xlsx
rows:
  - unpivot: { name: year, values: { population: '####' } }
key: [id, year]
fields:
  id: { type: string }
  year: { type: integer }
  population: { type: integer }`;
  const book = workbook({
    sheets: {
      S: {
        1: { A: text('id'), B: number('2019'), C: number('2020') },
        2: { A: text('a'), B: number('1'), C: number('2') },
      },
    },
  });
  expect(await valuesOf(declaration, { 'p.xlsx': book })).toEqual([
    ['a', '2019', '1'],
    ['a', '2020', '2'],
  ]);
});

test('a file that is no workbook, or lacks a part, is refused', async () => {
  const one = declare('');
  const damaged = Buffer.from(TITLED);
  damaged.writeUInt8(damaged.readUInt8(60) ^ 1, 60);
  expect(
    [
      await refusalByManifest(one, { 'p.xlsx': 'id\n1\n' }),
      await refusalByManifest(one, { 'p.xlsx': zipArchive({ 'p.csv': 'id\n1\n' }) }),
      await refusalByManifest(titled().replace('County codes', 'County code'), {
        'p.xlsx': TITLED,
      }),
      await refusalByManifest(titled().replace('Source:', 'Sources:'), { 'p.xlsx': TITLED }),
      await refusalByManifest(one, {
        'p.xlsx': workbook({ sheets: { S: { 1: { A: text('id') }, 2: { A: shared(5) } } } }),
      }),
      await refusalByManifest(one, { 'p.xlsx': workbook({ sheets: { S: { 1: { A: '<v>' } } } }) }),
      await refusalByManifest(one, {
        'p.xlsx': workbook({ sheets: { S: { 1: { A: text('id') }, 2e9: { A: text('a') } } } }),
      }),
      await refusalByManifest(one.replace('p.xlsx', 'p.csv'), { 'p.csv': TITLED }),
      await refusalByManifest(titled(', encoding: utf-8'), { 'p.xlsx': TITLED }),
    ].join('\n'),
  ).toMatchInlineSnapshot(`
    "p.xlsx: is not an Excel workbook. Save it as .xlsx, or declare its format.
    p.xlsx: is not an Excel workbook: it has no part _rels/.rels. Save it as .xlsx, or declare its format.
    p.xlsx: has no sheet 'County code'. Did you mean 'County codes'?
    p.xlsx: has no row that begins with 'Sources:'. Correct read: { footer }, or leave it out.
    p.xlsx, row 2: has a cell with the text 5, which the workbook does not have. Save the workbook again.
    p.xlsx: has a part xl/worksheets/sheet0.xml that is not XML (Invalid attribute name). Save the workbook again.
    p.xlsx: '2000000000' is a row number, but must be from 2 to 1048576. Save the workbook again.
    p.csv: is an Excel workbook. Declare it in the manifest: format: xlsx.
    locmetrics.yaml:5: datasets.us.places.read.encoding: The files are xlsx, but this key applies only to csv, tsv, ndjson, geojson, shapefile. Leave this out."
  `);
});
