import { expect, test } from 'vitest';
import { importByManifest, valuesOf } from './import-by-manifest.ts';

const DECOMPOSED = 'Zu\u0308rich';
const COMPOSED = 'Z\u00FCrich';
const FILE = `id,city\na,${DECOMPOSED}\nb,${COMPOSED}\nc,Basel\nd,\n`;
const declaration = (others = '') => `files: p.csv
key: [id]
${others}
fields:
  id: { type: string }
  city: { type: string }`;

test('values that are not in NFC are counted, and published as they are', async () => {
  const { notices } = await importByManifest(declaration(), { 'p.csv': FILE });
  expect(notices).toEqual([
    "1 value of city is not in NFC, the composed form of Unicode, for example 'Zu\\u{308}rich'. Filters and grants compare exactly, so the same text in NFC does not match. To publish in NFC, declare normalise: nfc.",
  ]);
  const rows = await valuesOf(declaration(), { 'p.csv': FILE });
  expect(rows.map(([, city]) => city)).toEqual([DECOMPOSED, COMPOSED, 'Basel', null]);
});

test('a count is that of records', async () => {
  const file = `id,city\na,${DECOMPOSED}\nb,${DECOMPOSED}\nc,A\u030A\n`;
  const { notices } = await importByManifest(declaration(), { 'p.csv': file });
  expect(notices).toEqual([
    expect.stringMatching(/^3 values of city are not in NFC.* 'A\\u\{30A\}'/),
  ]);
});

test('with normalise, texts are published in NFC, and no other value is changed', async () => {
  const found = await importByManifest(declaration('normalise: nfc'), { 'p.csv': FILE });
  expect(found.notices).toEqual([]);
  const rows = await valuesOf(declaration('normalise: nfc'), { 'p.csv': FILE });
  expect(rows.map(([, city]) => city)).toEqual([COMPOSED, COMPOSED, 'Basel', null]);
});

test('keys that become equal are refused with both lines', async () => {
  const file = `id,city\n${DECOMPOSED},x\nb,x\n${COMPOSED},x\n`;
  await importByManifest(declaration(), { 'p.csv': file });
  const importing = importByManifest(declaration('normalise: nfc'), { 'p.csv': file });
  await expect(importing).rejects.toThrow(`p.csv:4: id: '${COMPOSED}' is already in line 2.`);
});

test('another form is refused with the forms that exist', async () => {
  const importing = importByManifest(declaration('normalise: nfd'), { 'p.csv': FILE });
  await expect(importing).rejects.toThrow(/normalise/);
});
