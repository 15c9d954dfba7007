import type { FilterClause, FilterValue } from '@locmetrics/core/domain/filter';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const TYPES = defineTable({
  name: 'conformance.types',
  fields: {
    city: 'string',
    visits: 'integer',
    score: 'float',
    open: 'boolean',
    day: 'date',
  },
  rows: [{ city: 'Bern', visits: 12n, score: 1.5, open: true, day: '2024-02-29' }],
});

describeOn(ENGINES)('invalid filters, $name engine', (engine) => {
  const service = useService(engine, TYPES);
  const answers = (...filters: readonly FilterClause[]) => service.column('city', { filters });
  const refusal = (...filters: readonly FilterClause[]) => refusalOf(answers(...filters));

  test('an unknown field is refused with the nearest known one', async () => {
    expect(await refusal(where('citty', '==', 'Bern'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field 'citty' in conformance.types.
      Did you mean 'city'?"
    `);
    expect(await refusal(where('latitude', '==', '1'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field 'latitude' in conformance.types.
      Known: city, visits, score, open, day."
    `);
    expect(await refusal(where('', '==', 'Bern'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      The name of a field of conformance.types is missing.
      Known: city, visits, score, open, day."
    `);
  });

  test('a field name must match exactly, and an internal column of the store is unknown', async () => {
    expect(await refusal(where('CITY', '==', 'Bern'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field 'CITY' in conformance.types.
      Did you mean 'city'?"
    `);
    expect(await refusal(where('_fold_city', '==', 'bern'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field '_fold_city' in conformance.types.
      Known: city, visits, score, open, day."
    `);
    expect(await refusal(where('_row', '==', '0'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field '_row' in conformance.types.
      Known: city, visits, score, open, day."
    `);
    expect(await refusal(where('rowid', '==', '0'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field 'rowid' in conformance.types.
      Known: city, visits, score, open, day."
    `);
    expect(await refusal(where('constructor', '==', '0'))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /filters/0/fieldName
      Unknown field 'constructor' in conformance.types.
      Known: city, visits, score, open, day."
    `);
  });

  test('the pointer of a refusal has the index of the filter', async () => {
    const filters = [where('city', '==', 'Bern'), where('visits', '==', 'many')];
    expect(await refusalOf(service.column('city', { filters }))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/1/value
      The value 'many' does not fit the integer field 'visits'.
      Send a whole number such as 1200."
    `);
  });

  test('an unknown operator is refused with the nearest one the field supports', async () => {
    expect(await refusal(where('city', 'startswith', 'B'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      Unknown operator 'startswith' in the filter on 'city'.
      Did you mean 'starts_with'?"
    `);
    expect(await refusal(where('visits', '=', '12'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      Unknown operator '=' in the filter on 'visits'.
      Did you mean '=='?"
    `);
    expect(await refusal(where('visits', 'LIKE', '12'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      Unknown operator 'LIKE' in the filter on 'visits'.
      Known: ==, !=, <, <=, >, >=, in, not_in, is_empty, is_not_empty."
    `);
    expect(await refusal(where('visits', '', '12'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The filter on 'visits' has no operator.
      Supported: ==, !=, <, <=, >, >=, in, not_in, is_empty, is_not_empty."
    `);
    expect(await refusal(whereIn('city', 'NOT IN', ['Bern']))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      Unknown operator 'NOT IN' in the filter on 'city'.
      Did you mean 'not_in'?"
    `);
  });

  test.each([
    ['city', ['<', '<=', '>', '>='], 'Bern'],
    ['visits', ['contains', 'starts_with', 'ends_with'], '12'],
    ['score', ['contains', 'starts_with', 'ends_with'], '1.5'],
    ['day', ['contains', 'starts_with', 'ends_with'], '2024-02-29'],
    ['open', ['<', '<=', '>', '>=', 'contains', 'starts_with', 'ends_with'], 'true'],
  ] as const)('%s does not support %j', async (field, operators, value) => {
    const refusals = operators.map((operator) => refusal(where(field, operator, value)));
    expect(await Promise.all(refusals)).toEqual(
      operators.map((operator) =>
        expect.stringMatching(`^UNSUPPORTED_OPERATOR.*\nThe operator '${operator}' is not`),
      ),
    );
  });

  test('an operator of another type is refused with the supported operators of the field', async () => {
    expect(await refusal(where('city', '<', 'Bern'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The operator '<' is not supported by the string field 'city'.
      Supported: ==, !=, in, not_in, contains, starts_with, ends_with, is_empty, is_not_empty."
    `);
    expect(await refusal(where('visits', 'contains', '1'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The operator 'contains' is not supported by the integer field 'visits'.
      Supported: ==, !=, <, <=, >, >=, in, not_in, is_empty, is_not_empty."
    `);
    expect(await refusal(where('score', 'starts_with', '1'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The operator 'starts_with' is not supported by the float field 'score'.
      Supported: ==, !=, <, <=, >, >=, in, not_in, is_empty, is_not_empty."
    `);
    expect(await refusal(where('day', 'ends_with', '1'))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The operator 'ends_with' is not supported by the date field 'day'.
      Supported: ==, !=, <, <=, >, >=, in, not_in, is_empty, is_not_empty."
    `);
    expect(await refusal(whereIn('open', 'in', ['true']))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The operator 'in' is not supported by the boolean field 'open'.
      Supported: ==, !=, is_empty, is_not_empty."
    `);
    expect(await refusal(whereIn('open', 'not in', ['true']))).toMatchInlineSnapshot(`
      "UNSUPPORTED_OPERATOR at /filters/0/operator
      The operator 'not in' is not supported by the boolean field 'open'.
      Supported: ==, !=, is_empty, is_not_empty."
    `);
  });

  test("'values' is refused if the operator takes one value", async () => {
    expect(await answers(where('city', '==', 'Bern'))).toEqual(['Bern']);
    expect(await refusal(whereIn('city', '==', ['Bern']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The operator '==' takes no 'values'; it got 1.
      Send one 'value', or use the operator 'in'."
    `);
    expect(
      await refusal({ ...where('visits', '<', '13'), values: ['13', '14'] }),
    ).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The operator '<' takes no 'values'; it got 2.
      Send one 'value', or use the operator 'in'."
    `);
    expect(await refusal(whereIn('city', 'contains', ['Bern']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The operator 'contains' takes no 'values'; it got 1.
      Send one 'value', or use the operator 'in'."
    `);
  });

  test("'value' is refused if the operator takes a list", async () => {
    expect(await answers(whereIn('city', 'in', ['Bern']))).toEqual(['Bern']);
    expect(await refusal(where('city', 'in', 'Bern'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator 'in' takes no 'value'; it got 'Bern'.
      Send the list as 'values'."
    `);
    expect(
      await refusal({ ...whereIn('city', 'not in', ['Basel']), value: 'Bern' }),
    ).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator 'not in' takes no 'value'; it got 'Bern'.
      Send the list as 'values'."
    `);
  });

  test("is_empty and is_not_empty refuse both 'value' and 'values'", async () => {
    expect(await answers(where('city', 'is_not_empty'))).toEqual(['Bern']);
    expect(await refusal(where('city', 'is_empty', 'true'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator 'is_empty' takes no 'value'; it got 'true'.
      Leave 'value' out."
    `);
    expect(await refusal(where('open', 'is_not_empty', false))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator 'is_not_empty' takes no 'value'; it got 'false'.
      Leave 'value' out."
    `);
    expect(await refusal(whereIn('visits', 'is_empty', ['1']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The operator 'is_empty' takes no 'values'; it got 1.
      Leave 'values' out."
    `);
  });

  test('an absent or blank value is refused, and the hint names the operator for absent values', async () => {
    expect(await refusal(where('city', '==', ''))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator '==' on 'city' needs a value that is not blank.
      A blank value is absent: ask for it with is_empty or is_not_empty."
    `);
    expect(await refusal(where('city', '!=', ' \u00a0'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator '!=' on 'city' needs a value that is not blank.
      A blank value is absent: ask for it with is_empty or is_not_empty."
    `);
    expect(await refusal(where('city', 'contains', ''))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator 'contains' on 'city' needs a value.
      Send the text to look for; is_not_empty finds every present text."
    `);
    expect(await refusal(where('visits', '<', ''))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The operator '<' on 'visits' needs a value that is not blank.
      A blank value is absent: ask for it with is_empty or is_not_empty."
    `);
    expect(await refusal(whereIn('city', 'in', ['Bern', '']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values/1
      The operator 'in' on 'city' needs a value that is not blank.
      A blank value is absent: ask for it with is_empty or is_not_empty."
    `);
    expect(await refusal(whereIn('day', 'not_in', ['']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values/0
      The operator 'not_in' on 'day' needs a value that is not blank.
      A blank value is absent: ask for it with is_empty or is_not_empty."
    `);
  });

  test('an empty list is refused', async () => {
    expect(await refusal(whereIn('city', 'in', []))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The operator 'in' on 'city' needs 'values', a list with at least one.
      Send the list as "values": ["…", "…"]."
    `);
    expect(await refusal(whereIn('visits', 'not in', []))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The operator 'not_in' on 'visits' needs 'values', a list with at least one.
      Send the list as "values": ["…", "…"]."
    `);
  });

  test('a list of 10,000 values is accepted, one more is refused', async () => {
    const values = Array.from({ length: 10_000 }, (_, index) => String(index));
    expect(await answers(whereIn('visits', 'in', values))).toEqual(['Bern']);
    expect(await refusal(whereIn('visits', 'in', [...values, '7']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values
      The filter on 'visits' has 10001 values.
      Send at most 10000; split a longer list over several requests."
    `);
  });

  test('100 filters are accepted, one more is refused', async () => {
    const filters = Array.from({ length: 100 }, () => where('visits', '>=', '7'));
    expect(await answers(...filters)).toEqual(await answers(where('visits', '>=', '7')));
    expect(await refusal(...filters, where('visits', '>=', '7'))).toMatchInlineSnapshot(`
      "INVALID_REQUEST at /filters
      The request has 101 filters.
      Send at most 100; several values of one field go into one filter with 'in'."
    `);
  });

  test('a value that cannot be parsed as the type of its field is refused', async () => {
    expect(await refusal(where('visits', '==', '12.0'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The value '12.0' does not fit the integer field 'visits'.
      Send a whole number such as 1200."
    `);
    expect(await refusal(where('score', '==', '1,5'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The value '1,5' does not fit the float field 'score'.
      Send a finite number such as 8.331."
    `);
    expect(await refusal(where('open', '==', 'TRUE'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The value 'TRUE' does not fit the boolean field 'open'.
      Send true or false."
    `);
    expect(await refusal(where('day', '==', '2023-02-29'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The value '2023-02-29' does not fit the date field 'day'.
      Send a calendar date YYYY-MM-DD such as 2023-01-31."
    `);
    expect(await refusal(whereIn('day', 'in', ['2024-02-29', '29.2.2024']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values/1
      The value '29.2.2024' does not fit the date field 'day'.
      Send a calendar date YYYY-MM-DD such as 2023-01-31."
    `);
    expect(await refusal(where('visits', '==', 'x'.repeat(300)))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The value 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… (300 characters)' does not fit the integer field 'visits'.
      Send a whole number such as 1200."
    `);
  });

  test.each([
    ['visits', ['12', '+12', '012'], ['1e1', ' 12', '12 ', '0x0c', '1_2', '½', '١٢', '12n', '+']],
    [
      'score',
      ['1.5', '+1.5', '15e-1', '01.50'],
      ['1.5f', 'NaN', 'Infinity', '-Infinity', '1e400', '0x1', '.', 'e1', ' 1.5', '1.5 ', '1__5'],
    ],
    ['open', ['true'], ['True', '1', 'yes', 't', ' true']],
    [
      'day',
      ['2024-02-29'],
      ['2024-2-29', '2024-02-30', '0000-01-01', '10000-01-01', '2024-02-29T00:00:00Z', '20240229'],
    ],
  ] as const)('%s reads %j, but none of %j', async (field, read, refused) => {
    const found = await Promise.all(read.map((value) => answers(where(field, '==', value))));
    expect(found).toEqual(read.map(() => ['Bern']));
    const refusals = refused.map((value) => refusal(where(field, '==', value)));
    expect(await Promise.all(refusals)).toEqual(
      refused.map((value) =>
        expect.stringContaining(`INVALID_FILTER_VALUE at /filters/0/value\nThe value '${value}'`),
      ),
    );
  });

  test('a JSON number or boolean is refused for a field of another type', async () => {
    const refused: readonly (readonly [string, FilterValue])[] = [
      ['city', 12],
      ['city', true],
      ['day', 20240229],
      ['open', 1],
      ['visits', true],
      ['score', false],
    ];
    const refusals = refused.map(([field, value]) => refusal(where(field, '==', value)));
    expect(await Promise.all(refusals)).toMatchInlineSnapshot(`
      [
        "INVALID_FILTER_VALUE at /filters/0/value
      The number 12 does not fit the string field 'city'.
      Send the value as text: "12".",
        "INVALID_FILTER_VALUE at /filters/0/value
      The boolean true does not fit the string field 'city'.
      Send the value as text: "true".",
        "INVALID_FILTER_VALUE at /filters/0/value
      The number 20240229 does not fit the date field 'day'.
      Send a calendar date YYYY-MM-DD such as 2023-01-31.",
        "INVALID_FILTER_VALUE at /filters/0/value
      The number 1 does not fit the boolean field 'open'.
      Send true or false.",
        "INVALID_FILTER_VALUE at /filters/0/value
      The boolean true does not fit the integer field 'visits'.
      Send a whole number such as 1200.",
        "INVALID_FILTER_VALUE at /filters/0/value
      The boolean false does not fit the float field 'score'.
      Send a finite number such as 8.331.",
      ]
    `);
  });

  test('a JSON number that is not whole is refused for an integer', async () => {
    expect(await answers(where('visits', '==', 12))).toEqual(['Bern']);
    expect(await refusal(where('visits', '==', 12.5))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The value '12.5' does not fit the integer field 'visits'.
      Send a whole number such as 1200."
    `);
  });

  test('a JSON number beyond 2^53 is refused for an integer, since it may have been rounded', async () => {
    expect(await answers(where('visits', '<', Number.MAX_SAFE_INTEGER))).toEqual(['Bern']);
    expect(await refusal(where('visits', '<', 2 ** 53))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The JSON number 9007199254740992 is beyond 2^53, where JSON numbers are not exact.
      Send the value as text."
    `);
    expect(await refusal(whereIn('visits', 'in', [12, -1e21]))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values/1
      The JSON number -1e+21 is beyond 2^53, where JSON numbers are not exact.
      Send the value as text."
    `);
  });

  test('text that no record can contain is refused', async () => {
    expect(await answers(where('city', '!=', '\u0001'))).toEqual(['Bern']);
    expect(await refusal(where('city', '!=', 'a\0'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The text contains U+0000 or a lone surrogate, which no stored text contains.
      Send well-formed Unicode text."
    `);
    expect(await refusal(where('city', 'contains', '\ud800'))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/value
      The text contains U+0000 or a lone surrogate, which no stored text contains.
      Send well-formed Unicode text."
    `);
    expect(await refusal(whereIn('city', 'not_in', ['x', '\udfff']))).toMatchInlineSnapshot(`
      "INVALID_FILTER_VALUE at /filters/0/values/1
      The text contains U+0000 or a lone surrogate, which no stored text contains.
      Send well-formed Unicode text."
    `);
  });
});
