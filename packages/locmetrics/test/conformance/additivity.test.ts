import { wholeGrant } from '@locmetrics/core/domain/grant';
import { toDataReference } from '@locmetrics/core/encoding/data-reference';
import type { Aggregation } from '@locmetrics/core/requests/aggregation';
import { getDataReference } from '@locmetrics/server/service/describe-datasets';
import { describe, expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { type RecordsQuestion, useService } from './engines/service-under-test.ts';
import { toCall } from './engines/test-call.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { callerWith } from './random/random-grant.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const MONTHS = defineTable({
  name: 'conformance.months',
  fields: {
    place: 'string',
    month_start: 'date',
    month_end: 'date',
    level: 'integer',
    visits: 'integer',
    inhabitants: { type: 'integer', additive: 'places' },
    guests: { type: 'integer', additive: 'periods' },
    median_stay: 'integer',
    unique_visitors: 'integer',
    rain: 'float',
    snow: { type: 'float', additive: 'all' },
  },
  key: ['place', 'month_start', 'level'],
  period: { start: 'month_start', end: 'month_end' },
  rows: ['a', 'b'].flatMap((place, index) =>
    ['2024-01', '2024-02'].map((month) => ({
      place,
      month_start: `${month}-01`,
      month_end: `${month}-29`,
      level: 1n,
      visits: BigInt(index + 1),
      inhabitants: BigInt(index + 1),
      guests: BigInt(index + 1),
      median_stay: 5n,
      unique_visitors: 5n,
      rain: 0.5,
      snow: 0.5,
    })),
  ),
});

const MONTHLY = {
  ...MONTHS,
  version: {
    ...MONTHS.version,
    dataset: {
      ...MONTHS.version.dataset,
      name: 'conformance.monthly',
      cadence: 'monthly' as const,
    },
  },
};

const AGES = defineTable({
  name: 'conformance.ages',
  fields: {
    place: 'string',
    age: { type: 'string', totalLabel: 'all' },
    sex: { type: 'integer', totalLabel: '0' },
    visits: 'integer',
  },
  key: ['place', 'age', 'sex'],
  rows: ['all', 'young', 'old'].flatMap((age, index) =>
    [0n, 1n, 2n].map((sex) => ({ place: 'a', age, sex, visits: BigInt(4 >> index) + sex })),
  ),
});

const INSTEAD = 'end MAX, MEDIAN or AVG.';
const MEANINGLESS = `would mean nothing: its values cannot be added up (additive: none).\nS${INSTEAD}`;
const OF_THE_KEY = `would mean nothing: the field is part of the key, or a coordinate.\nS${INSTEAD}`;
const SEVERAL_PERIODS =
  'would add up several periods, but its values can be added up over places only (additive: places).';
const OF_PERIODS = `${SEVERAL_PERIODS}\nGroup by 'month_start' without a bucket, or filter it to one value; or s${INSTEAD}`;
const SEVERAL_PLACES =
  'would add up several places, but its values can be added up over periods only (additive: periods).';
const OF_PLACES = `${SEVERAL_PLACES}\nGroup by 'place' and 'level', or filter each to one value; or s${INSTEAD}`;
const OF_LEVELS = `${SEVERAL_PLACES}\nGroup by 'level', or filter it to one value; or s${INSTEAD}`;

const TWICE = (field: string, label: string) =>
  `NOT_ADDITIVE at /groupBy
Aggregates would count twice: the records with '${label}' in '${field}' are the totals of the others.
Group by '${field}', or filter on it: == '${label}' for the totals, or != '${label}' for their parts.`;

describeOn(ENGINES)('additivity, $name engine', (engine) => {
  const service = useService(engine, MONTHS, MONTHLY, AGES);
  const sum = (name: string, aggregation: Aggregation = 'SUM') => ({
    name,
    source: '',
    aggregation,
  });
  const inA = where('place', '==', 'a');
  const both = whereIn('month_start', 'in', ['2024-01-01', '2024-02-01']);
  const january = where('month_start', '==', '2024-01-01');
  const byMonth = { groupBy: [{ fieldName: 'month_start' }] };
  const byPlace = { groupBy: [{ fieldName: 'place' }, { fieldName: 'level' }] };

  describe('a sum is answered', () => {
    test.each([
      ['visits', {}, [6n]],
      ['snow', {}, [2]],
      ['inhabitants', byMonth, [3n, 3n]],
      ['inhabitants', { groupBy: [{ fieldName: 'month_start', bucket: 'DAY' }] }, [3n, 3n]],
      ['inhabitants', { filters: [january] }, [3n]],
      ['inhabitants', { filters: [whereIn('month_start', 'in', ['2024-01-01'])] }, [3n]],
      [
        'inhabitants',
        {
          filters: [january, where('place', '==', 'a'), where('place', '==', 'b')],
          filterLogic: '$0 AND ($1 OR $2)',
        },
        [3n],
      ],
      ...(['WEEK', 'MONTH'] as const).map(
        (bucket) =>
          [
            'inhabitants',
            { dataset: 'conformance.monthly', groupBy: [{ fieldName: 'month_start', bucket }] },
            [3n, 3n],
          ] as const,
      ),
      ['guests', byPlace, [2n, 4n]],
      ['guests', { filters: [where('place', '==', 'b'), where('level', '==', '1')] }, [4n]],
      [
        'guests',
        { groupBy: [{ fieldName: 'place' }], filters: [where('level', '==', '1')] },
        [2n, 4n],
      ],
    ] as const)('%s, %j', async (name, question, expected) => {
      const { rows } = await service.listRecords({ ...question, fields: [sum(name)] });
      expect(rows.flat()).toEqual(expected);
    });
  });

  describe('a sum is refused', () => {
    test.each([
      ['rain', {}, MEANINGLESS],
      ['median_stay', byMonth, MEANINGLESS],
      ['unique_visitors', { ...byPlace, filters: [january] }, MEANINGLESS],
      ['level', {}, OF_THE_KEY],
      ['inhabitants', {}, OF_PERIODS],
      ['inhabitants', byPlace, OF_PERIODS],
      ['inhabitants', { groupBy: [{ fieldName: 'month_start', bucket: 'MONTH' }] }, OF_PERIODS],
      ...(['QUARTER', 'MONTH_OF_YEAR'] as const).map(
        (bucket) =>
          [
            'inhabitants',
            { dataset: 'conformance.monthly', groupBy: [{ fieldName: 'month_start', bucket }] },
            OF_PERIODS,
          ] as const,
      ),
      ['inhabitants', { groupBy: [{ fieldName: 'month_end' }] }, OF_PERIODS],
      ['inhabitants', { filters: [both] }, OF_PERIODS],
      ['inhabitants', { filters: [where('month_start', '>=', '2024-02-01')] }, OF_PERIODS],
      ['inhabitants', { filters: [january, inA], filterLogic: '$0 OR $1' }, OF_PERIODS],
      ['inhabitants', { filters: [january], filterLogic: 'NOT $0' }, OF_PERIODS],
      ['guests', byMonth, OF_PLACES],
      ['guests', { groupBy: [{ fieldName: 'place' }] }, OF_LEVELS],
    ] as const)('%s, %j', async (name, question, said) => {
      const answer = service.listRecords({ ...question, fields: [sum(name)] });
      expect(await refusalOf(answer)).toBe(
        `NOT_ADDITIVE at /fields/0/aggregation\nSUM of '${name}' ${said}`,
      );
    });
  });

  test('other aggregates of a measure that cannot be added up are answered', async () => {
    const names = ['AVG', 'MIN', 'MAX', 'COUNT', 'COUNT_DISTINCT', 'MEDIAN'] as const;
    for (const aggregation of names) {
      const { rows } = await service.listRecords({ fields: [sum('median_stay', aggregation)] });
      expect(rows).toHaveLength(1);
    }
  });

  const sexes = where('sex', '!=', '0');
  const ages = (question: RecordsQuestion) =>
    service.listRecords({ dataset: 'conformance.ages', fields: [sum('visits')], ...question });

  describe('aggregates over totals or their parts are answered', () => {
    test.each([
      [{ filters: [where('age', '==', 'all'), where('sex', '==', '0')] }, [4n]],
      [{ filters: [where('age', '==', 'old'), sexes] }, [5n]],
      [{ filters: [where('age', '!=', 'all'), sexes] }, [12n]],
      [{ filters: [whereIn('age', 'not_in', ['all', 'old']), sexes] }, [7n]],
      [{ filters: [whereIn('age', 'in', ['old', 'young']), sexes] }, [12n]],
      [{ filters: [whereIn('age', 'in', ['all']), sexes] }, [11n]],
      [{ filters: [where('age', 'is_empty', ''), sexes] }, [null]],
      [{ groupBy: [{ fieldName: 'age' }], filters: [sexes] }, [11n, 5n, 7n]],
      [{ groupBy: [{ fieldName: 'sex' }, { fieldName: 'age' }], pageSize: 1 }, [4n]],
      [{ filters: [where('age', '!=', 'all'), sexes], filterLogic: '$0 AND $1' }, [12n]],
    ] as const)('%j', async (question, expected) => {
      expect((await ages(question)).rows.flat()).toEqual(expected);
    });
  });

  describe('aggregates over totals and their parts are refused', () => {
    test.each([
      {},
      { filters: [sexes] },
      { filters: [sexes], fields: [], recordCount: true },
      { filters: [sexes], fields: [sum('visits', 'MAX')] },
      { filters: [sexes], fields: [], groupBy: [{ fieldName: 'place' }] },
      { filters: [sexes, where('age', '!=', 'old')] },
      { filters: [sexes, whereIn('age', 'not_in', ['old'])] },
      { filters: [sexes, whereIn('age', 'in', ['old', 'all'])] },
      { filters: [sexes, where('age', 'contains', 'o')] },
      { filters: [sexes, where('age', 'is_not_empty', '')] },
      { filters: [sexes, where('age', '==', 'all')], filterLogic: '$0 OR $1' },
    ])('%j', async (question) => {
      expect(await refusalOf(ages(question))).toBe(TWICE('age', 'all'));
    });

    test('each field with totals counts', async () => {
      const question = { groupBy: [{ fieldName: 'age' }] };
      expect(await refusalOf(ages(question))).toBe(TWICE('sex', '0'));
    });
  });

  test('groups without an aggregate are listed', async () => {
    const { rows } = await ages({ groupBy: [{ fieldName: 'place' }], fields: ['place'] });
    expect(rows).toEqual([['a']]);
  });

  test('a grant to the totals or to their parts answers for the filter', async () => {
    const grant = wholeGrant('some', 'conformance.*');
    const filters = [where('age', '==', 'all'), sexes];
    const caller = callerWith([{ ...grant, filters }]);
    expect((await ages({ caller })).rows).toEqual([[11n]]);
    const fields = ['place', 'visits'];
    expect((await ages({ caller: callerWith([{ ...grant, filters, fields }]) })).rows).toEqual([
      [11n],
    ]);
    const blind = callerWith([{ ...grant, fields }]);
    expect(await refusalOf(ages({ caller: blind }))).toBe(`NOT_ADDITIVE at /groupBy
The records include totals over a field that your organisation does not have access to, so aggregates would count twice.
Ask the publisher of the data for access to the field, or list the records.`);
  });

  test('a caller who does not see the period gets no sum over places only', async () => {
    const grant = wholeGrant('some', 'conformance.*');
    const caller = callerWith([{ ...grant, fields: ['place', 'inhabitants', 'guests'] }]);
    const answer = (name: string) =>
      refusalOf(
        service.listRecords({
          caller,
          groupBy: [{ fieldName: 'place' }],
          fields: [sum(name)],
        }),
      );
    expect(await answer('inhabitants')).toContain(`${SEVERAL_PERIODS}\nS${INSTEAD}`);
    expect(await answer('guests')).toContain(`${SEVERAL_PLACES}\nS${INSTEAD}`);
  });

  test('a description of the dataset says what can be added up', async () => {
    const dataReferenceName = 'conformance.months';
    const request = { dataReferenceName, billingContext: '' };
    const described = await getDataReference(service.context(), request, toCall({}));
    const fields = toDataReference(described).fields;
    expect(fields.map(({ name: field, additive = '-' }) => `${field} ${additive}`)).toEqual([
      'place -',
      'month_start -',
      'month_end -',
      'level -',
      'visits all',
      'inhabitants places',
      'guests periods',
      'median_stay none',
      'unique_visitors none',
      'rain none',
      'snow all',
    ]);
    const summed = fields.filter(({ aggregations = [] }) => aggregations.includes('SUM'));
    expect(summed.map(({ name: field }) => field)).toEqual([
      'visits',
      'inhabitants',
      'guests',
      'snow',
    ]);
  });
});
