import type { Value } from '@locmetrics/core/domain/value';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { defineTable } from './table.ts';

const TEXTS = [
  'a',
  ' a ',
  'a\nb',
  'a\r\nb',
  '"',
  "''",
  'a,b;c\td',
  '\\N',
  'NULL',
  'null',
  'nan',
  'true',
  '007',
  '\u0001\u007f\u0085',
  '\u200b',
  'e\u0301',
  'é',
  '\uFFFD\uFFFE',
  '\u{10FFFF}',
  '👩‍🚀',
  'x'.repeat(100_000),
];
const INTEGERS = [-(2n ** 63n), -(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
const FLOATS = [
  [-Number.MAX_VALUE, '-1.7976931348623157e+308'],
  [-5e-324, '-5e-324'],
  [0, '0'],
  [5e-324, '5e-324'],
  [1e-7, '1e-7'],
  [0.000001, '0.000001'],
  [0.1 + 0.2, '0.30000000000000004'],
  [8.331, '8.331'],
  [9007199254740991, '9007199254740991'],
  [9007199254740992, '9007199254740992'],
  [1e16, '10000000000000000'],
  [123456789012345680000, '123456789012345680000'],
  [1e21, '1e+21'],
  [Number.MAX_VALUE, '1.7976931348623157e+308'],
] as const;
const DAYS = ['0001-01-01', '1582-10-10', '1899-12-31', '1969-12-31', '2024-02-29', '9999-12-31'];

describeOn(ENGINES)('stored values are read back, $name engine', (engine) => {
  const values: readonly Value[] = [...TEXTS, ...INTEGERS, ...FLOATS.map(([float]) => float)];
  const service = useService(
    engine,
    defineTable({
      name: 'conformance.stored',
      fields: { id: 'integer', text: 'string', whole: 'integer', ratio: 'float', day: 'date' },
      rows: values.map((_, index) => ({
        id: BigInt(index),
        text: TEXTS[index] ?? null,
        whole: INTEGERS[index] ?? null,
        ratio: FLOATS[index]?.[0] ?? null,
        day: DAYS[index] ?? null,
      })),
    }),
    defineTable({
      name: 'conformance.absent',
      fields: { id: 'integer', text: 'string', ratio: 'float', yes: 'boolean' },
      rows: [
        { id: 1n, text: '', ratio: -0, yes: true },
        { id: 2n, text: ' \n\u2003', ratio: null, yes: false },
        { id: 3n, text: null, ratio: null, yes: null },
      ],
    }),
  );
  const stored = async (field: string) => {
    const { rows } = await service.listRecords({ fields: [field] });
    return rows.flat().filter((value) => value !== null);
  };

  test('text, character by character', async () => {
    expect(await stored('text')).toEqual(TEXTS);
  });

  test('integers of all 64 bits', async () => {
    expect(await stored('whole')).toEqual(INTEGERS);
    expect((await service.column('whole')).filter((text) => text !== '')).toEqual(
      INTEGERS.map(String),
    );
  });

  test('floats, each with its shortest text', async () => {
    expect(await stored('ratio')).toEqual(FLOATS.map(([float]) => float));
    expect((await service.column('ratio')).filter((text) => text !== '')).toEqual(
      FLOATS.map(([, text]) => text),
    );
  });

  test('dates of all centuries', async () => {
    expect(await stored('day')).toEqual(DAYS);
  });

  test('a blank text is absent, -0 is 0, and false is not absent', async () => {
    const { rows } = await service.listRecords({ dataset: 'conformance.absent' });
    expect(rows).toStrictEqual([
      [1n, null, 0, true],
      [2n, null, null, false],
      [3n, null, null, null],
    ]);
  });
});
