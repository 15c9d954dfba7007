import type { FilterValue } from '@locmetrics/core/domain/filter';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { defineTable } from './table.ts';

const INTEGERS = defineTable({
  name: 'conformance.integers',
  fields: { id: 'string', count: 'integer' },
  rows: [
    { id: 'min', count: -(2n ** 63n) },
    { id: 'minus_one', count: -1n },
    { id: 'zero', count: 0n },
    { id: 'one', count: 1n },
    { id: 'safe_max', count: 2n ** 53n - 1n },
    { id: 'two_53', count: 2n ** 53n },
    { id: 'two_53_one', count: 2n ** 53n + 1n },
    { id: 'max_less_one', count: 2n ** 63n - 2n },
    { id: 'max', count: 2n ** 63n - 1n },
    { id: 'none', count: null },
  ],
});
const BY_ID = ['max', 'max_less_one', 'min', 'minus_one', 'one', 'safe_max', 'two_53'];
const INTEGER_IDS = [...BY_ID, 'two_53_one', 'zero'];

describeOn(ENGINES)('filters on integers, $name engine', (engine) => {
  const { column } = useService(engine, INTEGERS);
  const idsWhere = (operator: string, value?: FilterValue) =>
    column('id', { filters: [where('count', operator, value)] });
  const idsIn = (operator: string, values: readonly FilterValue[]) =>
    column('id', { filters: [whereIn('count', operator, values)] });

  test('== and != distinguish neighbours beyond 2^53', async () => {
    expect(await idsWhere('==', '9007199254740993')).toEqual(['two_53_one']);
    expect(await idsWhere('==', '9007199254740994')).toEqual([]);
    expect(await idsWhere('!=', '9007199254740993')).toEqual(
      INTEGER_IDS.filter((id) => id !== 'two_53_one'),
    );
  });

  test('<, <=, > and >= are exact at the value', async () => {
    expect(await idsWhere('<', '0')).toEqual(['min', 'minus_one']);
    expect(await idsWhere('<=', '0')).toEqual(['min', 'minus_one', 'zero']);
    expect(await idsWhere('>', '9007199254740992')).toEqual(['max', 'max_less_one', 'two_53_one']);
    expect(await idsWhere('>=', '9007199254740992')).toEqual([
      'max',
      'max_less_one',
      'two_53',
      'two_53_one',
    ]);
  });

  test('the ends of the stored range are compared exactly', async () => {
    expect(await idsWhere('==', '9223372036854775807')).toEqual(['max']);
    expect(await idsWhere('>=', '9223372036854775807')).toEqual(['max']);
    expect(await idsWhere('>', '9223372036854775807')).toEqual([]);
    expect(await idsWhere('<', '-9223372036854775808')).toEqual([]);
    expect(await idsWhere('<=', '-9223372036854775808')).toEqual(['min']);
  });

  test.each([
    '9223372036854775808',
    '-9223372036854775809',
    '1'.repeat(101),
    `-${'9'.repeat(5000)}`,
  ])('a value of more than 64 bits is refused: %s', async (value) => {
    const refused = { reason: 'INVALID_FILTER_VALUE' };
    for (const operator of ['==', '!=', '<', '<=', '>', '>=']) {
      await expect(idsWhere(operator, value)).rejects.toMatchObject({
        ...refused,
        message: expect.stringMatching(/^The value '-?[0-9]+.*' does not fit the integer field/),
        hint: 'Send a whole number of 64 bits, from -9223372036854775808 to 9223372036854775807.',
        details: [{ pointer: '/filters/0/value' }],
      });
    }
    for (const operator of ['in', 'not_in']) {
      await expect(idsIn(operator, ['1', value])).rejects.toMatchObject({
        ...refused,
        details: [{ pointer: '/filters/0/values/1' }],
      });
    }
  });

  test('in and not_in accept repeated values', async () => {
    expect(await idsIn('in', ['0', '1', '1', '77'])).toEqual(['one', 'zero']);
    expect(await idsIn('not_in', ['0', '1', '1', '77'])).toEqual(
      INTEGER_IDS.filter((id) => id !== 'one' && id !== 'zero'),
    );
    expect(await idsIn('not in', ['0', '1'])).toEqual(await idsIn('not_in', ['0', '1']));
  });

  test('is_empty matches the absent value only', async () => {
    expect(await idsWhere('is_empty')).toEqual(['none']);
    expect(await idsWhere('is_not_empty')).toEqual(INTEGER_IDS);
  });

  test('different spellings of one value are equal', async () => {
    expect(await idsWhere('==', '+1')).toEqual(['one']);
    expect(await idsWhere('==', '001')).toEqual(['one']);
    expect(await idsWhere('==', '-0')).toEqual(['zero']);
  });

  test('a JSON number is the same as its text', async () => {
    expect(await idsWhere('==', 1)).toEqual(['one']);
    expect(await idsWhere('==', -0)).toEqual(['zero']);
    expect(await idsWhere('==', Number.MAX_SAFE_INTEGER)).toEqual(['safe_max']);
    expect(await idsIn('in', [0, '1'])).toEqual(['one', 'zero']);
  });
});

const FLOATS = defineTable({
  name: 'conformance.floats',
  fields: { id: 'string', ratio: 'float' },
  rows: [
    { id: 'a_largest_negative', ratio: -Number.MAX_VALUE },
    { id: 'b_negative', ratio: -1.5 },
    { id: 'c_smallest_negative', ratio: -5e-324 },
    { id: 'd_minus_zero', ratio: -0 },
    { id: 'e_zero', ratio: 0 },
    { id: 'f_smallest', ratio: 5e-324 },
    { id: 'g_tenth', ratio: 0.1 },
    { id: 'h_three_tenths', ratio: 0.3 },
    { id: 'i_sum', ratio: 0.1 + 0.2 },
    { id: 'j_two_53', ratio: 2 ** 53 },
    { id: 'k_ten_16', ratio: 1e16 },
    { id: 'l_ten_21', ratio: 1e21 },
    { id: 'm_largest', ratio: Number.MAX_VALUE },
    { id: 'n_none', ratio: null },
  ],
});
const FLOAT_IDS = FLOATS.rows.map(({ id }) => String(id)).slice(0, -1);

describeOn(ENGINES)('filters on floats, $name engine', (engine) => {
  const { column } = useService(engine, FLOATS);
  const idsWhere = (operator: string, value?: FilterValue) =>
    column('id', { filters: [where('ratio', operator, value)] });
  const idsIn = (operator: string, values: readonly FilterValue[]) =>
    column('id', { filters: [whereIn('ratio', operator, values)] });

  test('== compares the numbers, not their texts', async () => {
    expect(await idsWhere('==', '0.3')).toEqual(['h_three_tenths']);
    expect(await idsWhere('==', '3e-1')).toEqual(['h_three_tenths']);
    expect(await idsWhere('==', '.30')).toEqual(['h_three_tenths']);
    expect(await idsWhere('==', '0.30000000000000004')).toEqual(['i_sum']);
    expect(await idsWhere('==', '10000000000000000')).toEqual(['k_ten_16']);
    expect(await idsWhere('==', '1E21')).toEqual(['l_ten_21']);
    expect(await idsWhere('==', '5e-324')).toEqual(['f_smallest']);
    expect(await idsWhere('==', '1.7976931348623157e308')).toEqual(['m_largest']);
    expect(await idsWhere('==', '0.2')).toEqual([]);
  });

  test('-0 and 0 are the same number', async () => {
    expect(await idsWhere('==', '-0')).toEqual(['d_minus_zero', 'e_zero']);
    expect(await idsWhere('==', '0.0')).toEqual(['d_minus_zero', 'e_zero']);
    expect(await idsWhere('<', '-0')).toEqual(FLOAT_IDS.slice(0, 3));
    expect(await idsIn('in', ['-0'])).toEqual(['d_minus_zero', 'e_zero']);
    expect(await idsIn('in', [-0])).toEqual(['d_minus_zero', 'e_zero']);
  });

  test('!= matches every present number but that one', async () => {
    expect(await idsWhere('!=', '0.1')).toEqual(FLOAT_IDS.filter((id) => id !== 'g_tenth'));
  });

  test('<, <=, > and >= are exact at the value', async () => {
    expect(await idsWhere('<', '0.3')).toEqual(FLOAT_IDS.slice(0, 7));
    expect(await idsWhere('<=', '0.3')).toEqual(FLOAT_IDS.slice(0, 8));
    expect(await idsWhere('>', '0.3')).toEqual(FLOAT_IDS.slice(8));
    expect(await idsWhere('>=', '0.3')).toEqual(FLOAT_IDS.slice(7));
    expect(await idsWhere('>', '0')).toEqual(FLOAT_IDS.slice(5));
    expect(await idsWhere('<', '0')).toEqual(FLOAT_IDS.slice(0, 3));
  });

  test('in and not_in leave the absent value out', async () => {
    expect(await idsIn('in', ['0.1', '1e16', '7'])).toEqual(['g_tenth', 'k_ten_16']);
    expect(await idsIn('not_in', ['0.1', '1e16', '7'])).toEqual(
      FLOAT_IDS.filter((id) => id !== 'g_tenth' && id !== 'k_ten_16'),
    );
  });

  test('is_empty matches the absent value only', async () => {
    expect(await idsWhere('is_empty')).toEqual(['n_none']);
    expect(await idsWhere('is_not_empty')).toEqual(FLOAT_IDS);
  });

  test('a JSON number is the same as its text, beyond 2^53 too', async () => {
    expect(await idsWhere('==', 0.1)).toEqual(['g_tenth']);
    expect(await idsWhere('==', 0.1 + 0.2)).toEqual(['i_sum']);
    expect(await idsWhere('==', 2 ** 53)).toEqual(['j_two_53']);
    expect(await idsWhere('==', 1e21)).toEqual(['l_ten_21']);
  });
});
