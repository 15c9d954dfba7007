import { expect, test } from 'vitest';
import { importByManifest } from './import-by-manifest.ts';

const FILE = 'place,age,visits\na,all,3\na,old,1\na,young,2\n';
const declaration = (label: string) => `files: p.csv
key: [place, age]
totals: { age: ${label} }
fields:
  place: { type: string }
  age: { type: string }
  visits: { type: integer }`;

test('a declared total that no record has is reported', async () => {
  const found = await importByManifest(declaration('all'), { 'p.csv': FILE });
  expect(found.notices).toEqual([]);
  const misspelled = await importByManifest(declaration('All'), { 'p.csv': FILE });
  expect(misspelled.notices).toEqual([
    "no record has the total 'All' in age (totals). Correct the text, or remove it.",
  ]);
});
