import { foldText } from '@locmetrics/core/text/text-fold';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFiles } from './import-files.ts';

test('the importer folds every code point like the service', { tags: 'slow' }, async () => {
  // A long text folds like each of its code points. The first text has all of ASCII.
  const texts = Array.from({ length: 0x110000 / 128 }, (_, block) =>
    Array.from({ length: 128 }, (_unused, index) => block * 128 + index)
      .filter((point) => point > 0 && (point < 0xd800 || point > 0xdfff))
      .map((point) => String.fromCodePoint(point))
      .join(''),
  ).filter((text) => text !== '');
  expect(texts.join('')).toHaveLength(0xd800 - 1 + 0x2000 + 2 * 0x100000);
  expect(await foldedTexts(texts)).toEqual(texts.map(foldText));
});

test('the folding of a character does not depend on its neighbours', async () => {
  const unit = fc.oneof(
    fc.constantFrom(...'ΑΣς σİIıſßẞǅΩK'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  );
  const texts = fc
    .sample(fc.string({ unit, minLength: 1 }), { numRuns: 5000, seed: 1 })
    .filter((text) => text.trim() !== '' && !text.includes('\0'));
  expect(await foldedTexts(texts)).toEqual(texts.map(foldText));
});

async function foldedTexts(texts: readonly string[]): Promise<readonly (string | null)[]> {
  const lines = texts.map((text, id) => JSON.stringify({ id, text }));
  const { columns, rows } = await importFiles(
    'ndjson',
    { 'p.ndjson': lines.join('\n') },
    { fields: { id: 'integer', text: 'string' }, key: ['id'] },
  );
  const fold = columns.indexOf('_fold_text');
  return rows.map((row) => row[fold] ?? null);
}
