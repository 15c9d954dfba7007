import { describe, expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import type { MetricQuestion } from './ask-metrics.ts';

const component = (id: string, ...values: readonly string[]) => ({ component: id, values });
const dimension = (dimensionId: string, ...values: readonly string[]) => ({ dimensionId, values });
const atLeast = (valueName: string, numericValue: number) =>
  ({ valueName, operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue }) as const;

/** The numbers of all values that match the defaults, in order. */
const ALL = [1, 3, 2, 4, 5, 6, 7, 16];

describeOn(ENGINES)('filters on metric values, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  /** The last measure of each value, which is its number. */
  const found = async (question: MetricQuestion) => {
    const pages = await service.metricValuePages({ ...question, pageSize: 3 });
    const values = pages.flatMap((page) => page.values);
    expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => values.length));
    return values.map(({ measures }) => Number(measures.at(-1)));
  };
  const visits = (filters: MetricQuestion) => found({ metricId: 'visits', ...filters });
  const young = (filters: MetricQuestion) => found({ metricId: 'young_visits', ...filters });

  test('without a filter, the values of known features that match the defaults are found', async () => {
    expect(await visits({})).toEqual(ALL);
  });

  describe('by period', () => {
    const within = (start?: string, end?: string) => ({
      observationPeriodFilter: {
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
      },
    });

    test('a period within the filter is found, including both edges', async () => {
      expect(await visits(within('2024-01-01', '2024-01-31'))).toEqual([1, 4, 5, 6, 16]);
      expect(await visits(within('2024-01-01', '2024-02-29'))).toEqual(ALL);
      expect(await visits(within('0001-01-01', '9999-12-31'))).toEqual(ALL);
    });

    test('a period that is one day outside is not found', async () => {
      expect(await visits(within('2024-01-02', '2024-02-29'))).toEqual([3, 2, 7]);
      expect(await visits(within('2024-01-01', '2024-02-28'))).toEqual([1, 4, 5, 6, 16]);
      expect(await visits(within('2024-01-01', '2024-01-30'))).toEqual([]);
      expect(await visits(within('2024-01-15', '2024-01-15'))).toEqual([]);
    });

    test('a side may be open', async () => {
      expect(await visits(within('2024-02-01'))).toEqual([3, 2, 7]);
      expect(await visits(within('2024-02-02'))).toEqual([]);
      expect(await visits(within(undefined, '2024-01-31'))).toEqual([1, 4, 5, 6, 16]);
      expect(await visits(within(undefined, '2024-01-30'))).toEqual([]);
      expect(await visits(within())).toEqual(ALL);
    });

    test('a constant period of a metric matches for all values or for none', async () => {
      const areas = async (start?: string, end?: string) =>
        (await found({ metricId: 'area', ...within(start, end) })).length;
      expect(await areas('2024-01-01', '2024-01-31')).toBe(6);
      expect(await areas('2024-01-02', '2024-01-31')).toBe(0);
      expect(await areas('2024-01-01', '2024-01-30')).toBe(0);
      expect(await areas('2024-01-01')).toBe(6);
      expect(await areas(undefined, '2024-01-30')).toBe(0);
    });

    test('a period with one constant day is filtered by both days', async () => {
      expect(await young(within('2024-02-01', '2024-12-31'))).toEqual([2, 7]);
      expect(await young(within('2024-02-01', '2024-12-30'))).toEqual([]);
    });
  });

  describe('by component of the feature', () => {
    const by = (...addressComponentFilter: NonNullable<MetricQuestion['addressComponentFilter']>) =>
      visits({ addressComponentFilter });

    test('a value must equal one of the values of a filter', async () => {
      expect(await by(component('state', '23'))).toEqual([1, 3, 2]);
      expect(await by(component('state', '23', '56', '23'))).toEqual([1, 3, 2, 4, 5]);
    });

    test('the same component again means or, another one means and', async () => {
      expect(await by(component('state', '23'), component('state', '56'))).toEqual([1, 3, 2, 4, 5]);
      expect(await by(component('state', '23'), component('gates', '7'))).toEqual([1, 3, 2]);
      expect(await by(component('state', '56'), component('gates', '7'))).toEqual([]);
    });

    test('an unknown value finds nothing', async () => {
      expect(await by(component('state', '99'))).toEqual([]);
      expect(await by(component('gates', 'many'))).toEqual([]);
      expect(await by(component('state', '99', '56'))).toEqual([4, 5]);
    });

    test('a value is compared as exact text, for every type of field', async () => {
      expect(await by(component('state', '7'))).toEqual([16]);
      expect(await by(component('state', '007'))).toEqual([6, 7]);
      expect(await by(component('gates', '7'))).toEqual([1, 3, 2]);
      expect(await by(component('gates', '007'))).toEqual([]);
      expect(await by(component('gates', '7.0'))).toEqual([]);
      expect(await by(component('gates', '+7'))).toEqual([]);
      expect(await by(component('gates', ' 7'))).toEqual([]);
      expect(await by(component('gates', '-9223372036854775808'))).toEqual([16]);
      expect(await by(component('gates', '9223372036854775808'))).toEqual([]);
      expect(await by(component('ratio', '1e+21'))).toEqual([6, 7]);
      expect(await by(component('ratio', '1000000000000000000000'))).toEqual([]);
      expect(await by(component('since', '1848-09-12'))).toEqual([6, 7]);
      expect(await by(component('since', '1848-9-12'))).toEqual([]);
      expect(await by(component('since', '1848-02-30'))).toEqual([]);
      expect(await by(component('is_obfuscated', 'false'))).toEqual(ALL);
      expect(await by(component('is_obfuscated', 'False'))).toEqual([]);
    });

    test('an empty text matches an absent value, a blank text matches nothing', async () => {
      expect(await by(component('gates', ''))).toEqual([4, 5, 6, 7]);
      expect(await by(component('gates', '', '7'))).toEqual([1, 3, 2, 4, 5, 6, 7]);
      expect(await by(component('gates', ' '))).toEqual([]);
      expect(await young({ addressComponentFilter: [component('state', '')] })).toEqual([11]);
      expect(await young({ addressComponentFilter: [component('state', ' ')] })).toEqual([]);
    });

    test('a filter may name a hundred components and ten thousand values', async () => {
      const many = Array.from({ length: 9_998 }, (_, index) => `value ${index}`);
      expect(await by(component('state', ...many, '56'))).toEqual([4, 5]);
      expect(await by(component('gates', ...many, '7', ''))).toEqual([1, 3, 2, 4, 5, 6, 7]);
    });

    test('one component may be named more than a hundred times', async () => {
      const again = Array.from({ length: 150 }, (_, index) => component('state', `${index}`));
      expect(await by(...again)).toEqual([1, 3, 2, 4, 5, 16]);
    });
  });

  describe('by feature', () => {
    const by = (...featureFilter: readonly string[]) => visits({ featureFilter });

    test('an id must equal one of the ids exactly', async () => {
      expect(await by('ACAD')).toEqual([1, 3, 2]);
      expect(await by('zürich', 'é', 'zürich')).toEqual([6, 7, 16]);
      expect(await by('acad')).toEqual([]);
      expect(await by('ACAD ')).toEqual([]);
      expect(await by('E\u0301'.toLowerCase())).toEqual([]);
    });

    test('an unknown id is an empty answer', async () => {
      expect(await by('nothing')).toEqual([]);
      expect(await by('nothing', 'YELL')).toEqual([4, 5]);
    });

    test('an id of values without a feature is unknown', async () => {
      expect(await by('nowhere')).toEqual([]);
    });

    test('a filter may name ten thousand ids', async () => {
      const many = Array.from({ length: 9_999 }, (_, index) => `id ${index}`);
      expect(await by(...many, 'YELL')).toEqual([4, 5]);
    });

    test('the features of a metric over its own layer are filtered in the same way', async () => {
      const ids = async (question: MetricQuestion) => {
        const { values } = await service.searchMetricValues({ metricId: 'area', ...question });
        return values.map(({ feature }) => feature.featureId);
      };
      expect(await ids({ featureFilter: ['é', 'ACAD', 'nothing'] })).toEqual(['ACAD', 'é']);
      expect(await ids({ addressComponentFilter: [component('state', '23')] })).toEqual([
        'ACAD',
        'hidden',
      ]);
    });
  });

  describe('by dimension', () => {
    const by = (...dimensionFilter: NonNullable<MetricQuestion['dimensionFilter']>) =>
      visits({ dimensionFilter });

    test('values of one dimension combine with or, different dimensions with and', async () => {
      expect(await by(dimension('age', 'old'))).toEqual([3]);
      expect(await by(dimension('age', 'old', 'young'))).toEqual([1, 3, 2, 4, 6, 7, 16]);
      expect(await by(dimension('age', 'old'), dimension('age', ''))).toEqual([3, 5]);
      expect(await by(dimension('floor', '-1'))).toEqual([3]);
      expect(await by(dimension('floor', '2'), dimension('age', 'young'))).toEqual([6]);
      expect(await by(dimension('floor', '2'), dimension('age', 'old'))).toEqual([]);
    });

    test('an unknown value finds nothing, an empty text finds absent values', async () => {
      expect(await by(dimension('age', 'middle'))).toEqual([]);
      expect(await by(dimension('age', 'Young'))).toEqual([]);
      expect(await by(dimension('floor', '02'))).toEqual([]);
      expect(await by(dimension('age', ''))).toEqual([5]);
    });

    test('the default of a dimension applies only if the dimension is not named', async () => {
      expect(await young({})).toEqual([1, 15, 2, 4, 9, 11, 10, 6, 7, 16]);
      expect(await young({ dimensionFilter: [dimension('age', 'old')] })).toEqual([3]);
      expect(await young({ dimensionFilter: [dimension('age', 'old', '')] })).toEqual([3, 5]);
      expect(await young({ dimensionFilter: [dimension('floor', '2')] })).toEqual([6]);
    });
  });

  describe('by related feature', () => {
    const toStates = (filters: MetricQuestion) =>
      found({ metricId: 'trips_to_states', ...filters });
    const toParks = (filters: MetricQuestion) => found({ metricId: 'trips_to_parks', ...filters });

    test('both features must exist in their layers', async () => {
      expect(await toStates({})).toEqual([1, 2, 6, 3, 4]);
      expect(await toParks({})).toEqual([5, 7, 10]);
    });

    test('ids filter either side', async () => {
      expect(await toStates({ relatedFeatureFilter: ['23'] })).toEqual([1, 6, 3]);
      expect(await toStates({ relatedFeatureFilter: ['23', '007', 'nothing'] })).toEqual([
        1, 6, 3, 4,
      ]);
      expect(await toStates({ relatedFeatureFilter: ['7'] })).toEqual([]);
      expect(await toStates({ featureFilter: ['ACAD'], relatedFeatureFilter: ['56'] })).toEqual([
        2,
      ]);
      expect(await toParks({ featureFilter: ['ACAD'] })).toEqual([5, 7]);
      expect(await toParks({ relatedFeatureFilter: ['ACAD'] })).toEqual([5]);
    });

    test('components filter by the layer of their side', async () => {
      const related = (...filters: NonNullable<MetricQuestion['addressComponentFilter']>) => ({
        relatedAddressComponentFilter: filters,
      });
      expect(await toStates(related(component('capital', 'Augusta')))).toEqual([1, 6, 3]);
      expect(await toStates(related(component('capital', '', 'Bern')))).toEqual([2, 4]);
      // The state is a number in the related layer, and text in the layer.
      expect(await toStates(related(component('state', '7')))).toEqual([4]);
      expect(await toStates(related(component('state', '007')))).toEqual([]);
      expect(
        await toStates({
          addressComponentFilter: [component('state', '23')],
          ...related(component('state', '56')),
        }),
      ).toEqual([2]);
      expect(await toParks(related(component('is_obfuscated', 'true')))).toEqual([7]);
      expect(await toParks(related(component('state', '007')))).toEqual([10]);
    });
  });

  describe('by value', () => {
    const by = (...valueFilter: NonNullable<MetricQuestion['valueFilter']>) =>
      visits({ valueFilter });

    test('a count must be at least the number', async () => {
      expect(await by(atLeast('visits', 1))).toEqual([1, 4, 6, 7]);
      expect(await by(atLeast('visits', 1000))).toEqual([1, 4, 7]);
      expect(await by(atLeast('visits', 0))).toEqual([1, 2, 4, 6, 7]);
      expect(await by(atLeast('visits', -0))).toEqual([1, 2, 4, 6, 7]);
      expect(await by(atLeast('visits', -1))).toEqual([1, 2, 4, 6, 7, 16]);
    });

    test('a number with decimals is compared exactly with a count', async () => {
      expect(await by(atLeast('visits', 999.999))).toEqual([1, 4, 7]);
      expect(await by(atLeast('visits', 1000.001))).toEqual([1, 4]);
      expect(await by(atLeast('visits', -0.5))).toEqual([1, 2, 4, 6, 7]);
      expect(await by(atLeast('visits', -1.5))).toEqual([1, 2, 4, 6, 7, 16]);
      expect(await by(atLeast('visits', 2 ** 53))).toEqual([1, 4]);
      expect(await by(atLeast('visits', 2 ** 53 + 2))).toEqual([4]);
    });

    test('a number of more than 64 bits is refused for a count', async () => {
      const largest = 2 ** 63 - 1024;
      expect(await by(atLeast('visits', largest))).toEqual([4]);
      expect(await by(atLeast('visits', -(2 ** 63)))).toEqual([1, 2, 4, 5, 6, 7, 16]);
      for (const number of [2 ** 63, 1e300, -(2 ** 63) - 2048, -1e300]) {
        await expect(by(atLeast('visits', number))).rejects.toMatchObject({
          reason: 'INVALID_FILTER_VALUE',
          message: `The number ${number} of the filter on 'visits' has more than 64 bits.`,
          details: [{ pointer: '/valueFilter/0/numericValue' }],
        });
      }
    });

    test('a number is compared as a number, and an absent value never matches', async () => {
      expect(await by(atLeast('share', 0.1))).toEqual([1, 4, 16]);
      expect(await by(atLeast('share', 5e-324))).toEqual([1, 4, 6, 16]);
      expect(await by(atLeast('share', 0))).toEqual([1, 2, 4, 6, 16]);
      expect(await by(atLeast('share', 1e21))).toEqual([4]);
      expect(await by(atLeast('share', Number.MAX_VALUE))).toEqual([]);
      expect(await by(atLeast('share', -Number.MAX_VALUE))).toEqual([1, 2, 4, 5, 6, 16]);
    });

    test('several value filters must all match', async () => {
      expect(await by(atLeast('visits', 1), atLeast('share', 0.1))).toEqual([1, 4]);
      expect(await by(atLeast('visits', 1), atLeast('visits', 1000))).toEqual([1, 4, 7]);
    });
  });

  test('filters of every kind combine with and', async () => {
    expect(
      await visits({
        featureFilter: ['ACAD', 'zürich'],
        observationPeriodFilter: { start: '2024-02-01' },
        addressComponentFilter: [component('state', '23', '007')],
        dimensionFilter: [dimension('age', 'young')],
        valueFilter: [atLeast('visits', 0)],
      }),
    ).toEqual([2, 7]);
  });
});
