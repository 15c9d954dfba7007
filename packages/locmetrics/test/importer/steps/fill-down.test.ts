import { expect, test } from 'vitest';
import { importByManifest, refusalByManifest, valuesOf } from '../import-by-manifest.ts';

const declare = (rows: string, files = 'p.csv') => `files: ${files}
rows:
${rows}
key: [region, district, month]
fields:
  region: { type: string }
  district: { type: string }
  month: { type: string }
  n: { type: integer }`;

const TABLE = `region,district,month,n
North,Alder,01,1
,,02,2
,Birch,01,3
, ,02,4
South,Cedar,01,5
,,02,6
`;

test('blank values get the value of the row above, in the order of the file', async () => {
  const declaration = declare('  - fill_down: [region, district]');
  expect(await valuesOf(declaration, { 'p.csv': TABLE })).toEqual([
    ['North', 'Alder', '01', '1'],
    ['North', 'Alder', '02', '2'],
    ['North', 'Birch', '01', '3'],
    ['North', 'Birch', '02', '4'],
    ['South', 'Cedar', '01', '5'],
    ['South', 'Cedar', '02', '6'],
  ]);
  const { notices } = await importByManifest(declaration, { 'p.csv': TABLE });
  expect(notices).toEqual([
    '4 rows get the region of the row above (rows[0].fill_down).',
    '3 rows get the district of the row above (rows[0].fill_down).',
  ]);
});

test('a value of a column ends those of the columns after it', async () => {
  const content = 'region,district,month,n\nNorth,Alder,01,1\nSouth,,02,2\n,Birch,01,3\n';
  const refusal = await refusalByManifest(declare('  - fill_down: [region, district]'), {
    'p.csv': content,
  });
  expect(refusal).toContain('p.csv:3: district');
  expect(
    await valuesOf(declare('  - fill_down: [district]\n  - fill_down: [region]'), {
      'p.csv': content,
    }),
  ).toContainEqual(['South', 'Alder', '02', '2']);
});

test('no value comes from the file before', async () => {
  const refusal = await refusalByManifest(declare('  - fill_down: [region]', '[a.csv, b.csv]'), {
    'a.csv': 'region,district,month,n\nNorth,Alder,01,1\n,Birch,01,1\n',
    'b.csv': 'region,district,month,n\n,Alder,02,1\nSouth,Birch,02,1\n,Cedar,02,1\n',
  });
  expect(refusal).toContain('b.csv:2: region');
  expect(refusal).not.toContain('b.csv:4');
});

test('it sees the rows of the step before it, and messages name their lines', async () => {
  const content = `region,district,01,02\nNorth,Alder,1,2\nall,,9,9\n,Birch,3,x\n`;
  const steps = `  - where: region IS DISTINCT FROM 'all'
  - fill_down: [region]
  - unpivot: { name: month, values: { n: '##' } }`;
  expect(await valuesOf(declare(steps), { 'p.csv': content.replace('x', '4') })).toEqual([
    ['North', 'Alder', '01', '1'],
    ['North', 'Alder', '02', '2'],
    ['North', 'Birch', '01', '3'],
    ['North', 'Birch', '02', '4'],
  ]);
  expect(await refusalByManifest(declare(steps), { 'p.csv': content })).toContain('p.csv:4: n');
});

test('many rows keep their order', async () => {
  const lines = Array.from({ length: 300_000 }, (_, row) =>
    row % 3 === 0 ? `r${row},d,${row},${row}` : `,d,${row},${row}`,
  );
  const rows = await valuesOf(declare('  - fill_down: [region]'), {
    'p.csv': `region,district,month,n\n${lines.join('\n')}\n`,
  });
  expect(rows).toHaveLength(lines.length);
  const wrong = rows.filter(([region, , , n]) => region !== `r${Number(n) - (Number(n) % 3)}`);
  expect(wrong).toEqual([]);
});

test('an unknown column is refused', async () => {
  expect(await refusalByManifest(declare('  - fill_down: [regoin]'), { 'p.csv': TABLE })).toContain(
    "there is no column 'regoin'. Did you mean 'region'?",
  );
});
