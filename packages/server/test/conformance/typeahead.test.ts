import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from '../../src/domain/text-fold.ts';
import { compareUtf8 } from '../../src/domain/text-order.ts';
import { ENGINES } from './engines.ts';
import { openService } from './service-under-test.ts';
import { defineTable } from './table.ts';
import { announceSeed } from './test-seed.ts';

/** Few letters, so that terms are in many names: two cases, two code units, the mark of a begin. */
const LETTERS = ['a', 'B', 'b', 'É', 'é', '\u{10400}', '\u{10428}', '\u0001', ' '];
const text = (lengths: { readonly minLength: number; readonly maxLength: number }) =>
  fc.string({ unit: fc.constantFrom(...LETTERS), ...lengths });
const randomNames = fc.array(text({ minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 80 });
const randomTerms = fc.array(
  fc.record({
    term: text({ minLength: 0, maxLength: 5 }),
    pageSize: fc.constantFrom(1, 3, 100),
    descending: fc.boolean(),
  }),
  { minLength: 5, maxLength: 10 },
);

describe.each(ENGINES)('distinct values of a searchable field, $name engine', (engine) => {
  test('those that start with a term come first, then those that contain it, each once', async () => {
    const seed = announceSeed('typeahead');
    let values = 0;
    const property = fc.asyncProperty(randomNames, randomTerms, async (names, questions) => {
      const rows = names.map((name, index) => ({ id: BigInt(index), name }));
      const table = defineTable({
        name: 'conformance.names',
        fields: { id: 'integer', name: { type: 'string', searchable: true } },
        rows,
      });
      const service = await openService(engine, [table]);
      try {
        for (const { term, pageSize, descending } of questions) {
          const orderBy = { fieldName: 'name', descending };
          const found = await service.values('name', { term, pageSize, orderBy });
          expect(found).toEqual(expectedValues(names, term, descending));
          values += found.length;
        }
      } finally {
        await service.close();
      }
    });
    await fc.assert(property, { seed, numRuns: 8 });
    expect(values).toBeGreaterThan(20);
  });
});

function expectedValues(
  names: readonly string[],
  term: string,
  descending: boolean,
): readonly string[] {
  const folded = foldText(term);
  const found = [...new Set(names)]
    .filter((name) => name.trim() !== '' && foldText(name).includes(folded))
    .sort((left, right) => compareUtf8(left, right) * (descending ? -1 : 1));
  const isFirst = (name: string) => foldText(name).startsWith(folded);
  return [...found.filter(isFirst), ...found.filter((name) => !isFirst(name))];
}
