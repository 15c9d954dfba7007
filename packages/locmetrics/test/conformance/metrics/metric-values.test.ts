import type { Feature } from '@locmetrics/core/domain/feature';
import { describe, expect, test } from 'vitest';
import { ENGINES } from '../engines/engines.ts';
import { useService } from '../engines/service-under-test.ts';
import { describeOn } from '../engines/test-on.ts';
import { PARK_TABLES } from '../parks.ts';
import type { MetricValue } from './metric-value.ts';

const DEFAULT = { component: 'is_obfuscated', values: ['false'] };

describeOn(ENGINES)('metric values, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const numbered = async (number: bigint): Promise<MetricValue | undefined> => {
    const { values } = await service.searchMetricValues();
    return values.find(({ measures }) => measures.at(-1) === number);
  };

  test('a value shows its feature, period, measures, dimensions and flags', async () => {
    expect(await numbered(1n)).toEqual({
      feature: {
        layerId: 'parks',
        featureId: 'ACAD',
        name: 'Acadia',
        addressComponents: [
          { component: 'state', value: '23', shortName: 'ME', displayName: 'Maine' },
          { component: 'is_obfuscated', value: 'false', shortName: '', displayName: '' },
          { component: 'gates', value: '7', shortName: '', displayName: '' },
          { component: 'since', value: '', shortName: '', displayName: '' },
          { component: 'ratio', value: '', shortName: '', displayName: '' },
          { component: 'note', value: '', shortName: '', displayName: '' },
        ],
        cameIntoExistence: '',
        ceasedToExist: '',
      },
      period: { start: '2024-01-01', end: '2024-01-31' },
      measures: [2n ** 53n + 1n, 0.1, 'sun', 1n],
      dimensions: [
        { dimensionId: 'age', value: 'young', displayName: 'young' },
        { dimensionId: 'floor', value: '0', displayName: '0' },
      ],
      flags: ['estimate'],
    });
  });

  test('components of every type are text, and non-ASCII names do not change', async () => {
    expect((await numbered(6n))?.feature).toEqual({
      layerId: 'parks',
      featureId: 'zürich',
      name: 'Zürichsee 😀',
      addressComponents: [
        { component: 'state', value: '007', shortName: '', displayName: 'Zürich' },
        { component: 'is_obfuscated', value: 'false', shortName: '', displayName: '' },
        { component: 'gates', value: '', shortName: '', displayName: '' },
        { component: 'since', value: '1848-09-12', shortName: '', displayName: '' },
        { component: 'ratio', value: '1e+21', shortName: '', displayName: '' },
        { component: 'note', value: 'free', shortName: '', displayName: '' },
      ],
      cameIntoExistence: '',
      ceasedToExist: '2024-02-01',
    });
    expect((await numbered(4n))?.feature).toMatchObject({
      point: { latitude: 44.6, longitude: -110.5 },
      cameIntoExistence: '2024-01-31',
    });
  });

  test.each([
    { question: {} },
    { question: { metricId: 'area' } },
    { question: { metricId: 'trips_to_parks' } },
    { question: { featureFilter: ['ACAD', 'zürich'] } },
    { question: { addressComponentFilter: [{ component: 'state', values: ['23', '007'] }] } },
  ])('features have only the parts that $question asks for', async ({ question }) => {
    const whole = await service.searchMetricValues(question);
    const names = whole.values.flatMap(({ feature, relatedFeature }) =>
      [feature, relatedFeature].flatMap((one) => one?.addressComponents ?? []),
    );
    const [first = '', last = ''] = [names[0]?.component, names.at(-1)?.component];
    for (const skipGeo of [false, true]) {
      for (const addressComponentWhitelist of [[], [''], [first], [last, first, last]]) {
        const asked = { ...question, addressComponentWhitelist, skipGeo };
        const isShown = ({ component }: { readonly component: string }) =>
          addressComponentWhitelist.length === 0 || addressComponentWhitelist.includes(component);
        const show = ({ point, addressComponents, ...rest }: Feature): Feature => ({
          ...rest,
          ...(skipGeo || point === undefined ? {} : { point }),
          addressComponents: addressComponents.filter(isShown),
        });
        const expected = whole.values.map(({ feature, relatedFeature, ...rest }) => ({
          ...rest,
          feature: show(feature),
          ...(relatedFeature === undefined ? {} : { relatedFeature: show(relatedFeature) }),
        }));
        expect(await service.searchMetricValues(asked)).toEqual({ ...whole, values: expected });
      }
    }
    expect(whole.values.length).toBeGreaterThan(1);
  });

  test('a page token goes with any parts of the features', async () => {
    const first = await service.searchMetricValues({ pageSize: 2, skipGeo: true });
    const second = await service.searchMetricValues({
      pageSize: 2,
      pageToken: first.nextPageToken,
      addressComponentWhitelist: ['state'],
    });
    const { values } = await service.searchMetricValues();
    expect([...first.values, ...second.values].map(({ measures }) => measures)).toEqual(
      values.slice(0, 4).map(({ measures }) => measures),
    );
  });

  test('every value of a metric has the same components, dimensions and measures in the same order', async () => {
    for (const metricId of ['visits', 'young_visits', 'area', 'trips_to_parks']) {
      const { values } = await service.searchMetricValues({ metricId });
      const shapes = values.map(({ feature, relatedFeature, dimensions, measures }) =>
        JSON.stringify([
          feature.addressComponents.map(({ component }) => component),
          relatedFeature?.addressComponents.map(({ component }) => component),
          dimensions.map(({ dimensionId }) => dimensionId),
          measures.length,
        ]),
      );
      expect(new Set(shapes).size).toBe(1);
    }
  });

  test('counts beyond 2^53 are exact, a count of 0 is present, and an absent count is not', async () => {
    const { values } = await service.searchMetricValues();
    expect(values.map(({ measures }) => measures)).toEqual([
      [2n ** 53n + 1n, 0.1, 'sun', 1n],
      [null, null, null, 3n],
      [0n, 0, null, 2n],
      [2n ** 63n - 1n, 1e21, 'Föhn 😀', 4n],
      [-(2n ** 63n), -1.5, null, 5n],
      [1n, 5e-324, null, 6n],
      [1000n, null, null, 7n],
      [-1n, 0.3, null, 16n],
    ]);
  });

  test('the name of a dimension value without a name is the value, and an absent value is empty', async () => {
    const { values } = await service.searchMetricValues({ featureFilter: ['ACAD', 'YELL'] });
    expect(
      values.map(({ dimensions }) =>
        dimensions.map(({ value, displayName }) => [value, displayName]),
      ),
    ).toEqual([
      [
        ['young', 'young'],
        ['0', '0'],
      ],
      [
        ['old', 'Älter'],
        ['-1', '-1'],
      ],
      [
        ['young', 'young'],
        ['0', '0'],
      ],
      [
        ['young', 'young'],
        ['0', '0'],
      ],
      [
        ['', ''],
        ['0', '0'],
      ],
    ]);
  });

  test('values whose flag field is true have the flag, in the order of the metric', async () => {
    const { values } = await service.searchMetricValues({ featureFilter: ['ACAD', 'YELL'] });
    expect(values.map(({ flags }) => flags)).toEqual([
      ['estimate'],
      [],
      ['late', 'estimate'],
      [],
      [],
    ]);
  });

  test('a record without a feature of the layer, or without a period, is not a value', async () => {
    const { values } = await service.searchMetricValues({ metricId: 'young_visits' });
    const numbers = values.map(({ measures }) => measures[0]);
    // 12: an unknown feature. 13: no feature. 14: no first day. The last day of 15 is not needed.
    expect(numbers).toEqual([1n, 15n, 2n, 4n, 9n, 11n, 10n, 6n, 7n, 16n]);
    expect(await numbered(15n)).toBeUndefined();
  });

  test('a metric over its own layer has the features as values, with a constant period', async () => {
    const { values, version } = await service.searchMetricValues({ metricId: 'area' });
    expect(
      values.map(({ feature, measures, period }) => [feature.featureId, measures[0], period.start]),
    ).toEqual([
      ['ACAD', 0, '2024-01-01'],
      ['YELL', 898_317.5, '2024-01-01'],
      ['blank', 0, '2024-01-01'],
      ['hidden', 0, '2024-01-01'],
      ['zürich', 0, '2024-01-01'],
      ['é', 0, '2024-01-01'],
    ]);
    expect(values[2]?.feature).toMatchObject({
      name: '',
      addressComponents: [
        { component: 'state', value: '', shortName: '', displayName: '' },
        { component: 'is_obfuscated', value: '' },
        { component: 'gates', value: '' },
        { component: 'since' },
        { component: 'ratio' },
        { component: 'note' },
      ],
    });
    expect(version).toBe(PARK_TABLES[1].version.version);
  });

  test('a value of an origin–destination metric has both features, each of its layer', async () => {
    const of = async (metricId: string) => {
      const { values } = await service.searchMetricValues({ metricId });
      return values.map(({ feature, relatedFeature, measures }) => [
        feature.name,
        relatedFeature?.layerId,
        relatedFeature?.name,
        relatedFeature?.addressComponents.map(({ value }) => value).join(),
        measures[0],
      ]);
    };
    expect(await of('trips_to_states')).toEqual([
      ['Acadia', 'states', 'Maine', 'Augusta,23', 1n],
      ['Acadia', 'states', 'Wyoming', ',56', 2n],
      ['Acadia', 'states', 'Maine', 'Augusta,23', 6n],
      ['Secret', 'states', 'Maine', 'Augusta,23', 3n],
      ['É', 'states', '', 'Bern,7', 4n],
    ]);
    expect((await of('trips_to_parks')).map((trip) => trip.slice(0, 3))).toEqual([
      ['Acadia', 'parks', 'Acadia'],
      ['Acadia', 'parks', 'Secret'],
      ['É', 'parks', 'Zürichsee 😀'],
    ]);
    expect((await service.searchMetricValues()).values[0]).not.toHaveProperty('relatedFeature');
  });

  describe('trimmed to the time their feature existed', () => {
    const numbers = async (metricId: string) =>
      (await service.searchMetricValues({ metricId })).values.map(({ measures }) =>
        measures.at(-1),
      );

    test('a period that overlaps the existence by one day is kept; without overlap it is left out', async () => {
      const found = await numbers('visits');
      // Yellowstone opened on the last day of January; 9 ends the day before.
      expect([found.includes(4n), found.includes(9n)]).toEqual([true, false]);
      // Zürich closed on the first day of February; 8 begins the day after.
      expect([found.includes(7n), found.includes(8n)]).toEqual([true, false]);
    });

    test('trips are trimmed by the feature, not by the related feature', async () => {
      expect(await numbers('trips_to_states')).not.toContain(9n);
      expect(await numbers('trips_to_parks')).toContain(10n);
    });

    test('the applied filters show the trim, if the layer has an existence', async () => {
      const isTrimmed = async (metricId: string) =>
        (await service.searchMetricValues({ metricId })).appliedFilters.isTrimmed;
      expect(await isTrimmed('visits')).toBe(true);
      expect(await isTrimmed('area')).toBe(true);
    });
  });

  describe('the applied filters', () => {
    const NONE = {
      periods: [],
      dimensions: [],
      addressComponents: [],
      features: [],
      relatedFeatures: [],
      values: [],
      relatedAddressComponents: [],
      isTrimmed: true,
    };

    test('without filters in the request they are the defaults', async () => {
      const applied = async (metricId: string) =>
        (await service.searchMetricValues({ metricId })).appliedFilters;
      expect(await applied('visits')).toEqual({ ...NONE, addressComponents: [DEFAULT] });
      expect(await applied('young_visits')).toEqual({
        ...NONE,
        dimensions: [{ dimensionId: 'age', values: ['young'] }],
      });
      expect(await applied('area')).toEqual(NONE);
    });

    test('the filters of the request come first, each once, on every page and also in a count', async () => {
      const question = {
        metricId: 'young_visits',
        featureFilter: ['YELL', 'ACAD', 'YELL'],
        observationPeriodFilter: { start: '2024-01-01' },
        addressComponentFilter: [
          { component: 'state', values: ['23', '56'] },
          { component: 'gates', values: ['7', ''] },
          { component: 'state', values: ['56', '7'] },
        ],
        dimensionFilter: [
          { dimensionId: 'floor', values: ['0'] },
          { dimensionId: 'floor', values: ['2', '0'] },
        ],
        valueFilter: [
          { valueName: 'number', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 0.5 },
        ],
      } as const;
      const applied = {
        periods: [{ start: '2024-01-01' }],
        dimensions: [
          { dimensionId: 'floor', values: ['0', '2'] },
          { dimensionId: 'age', values: ['young'] },
        ],
        addressComponents: [
          { component: 'state', values: ['23', '56', '7'] },
          { component: 'gates', values: ['7', ''] },
        ],
        features: ['YELL', 'ACAD'],
        relatedFeatures: [],
        values: question.valueFilter,
        relatedAddressComponents: [],
        isTrimmed: true,
      };
      const pages = await service.metricValuePages({ ...question, pageSize: 1 });
      expect(pages.length).toBeGreaterThan(1);
      for (const { appliedFilters } of pages) expect(appliedFilters).toEqual(applied);
      const counted = await service.searchMetricValues({ ...question, countOnly: true });
      expect(counted.appliedFilters).toEqual(applied);
    });

    test('they contain related filters too', async () => {
      const { appliedFilters } = await service.searchMetricValues({
        metricId: 'trips_to_states',
        relatedFeatureFilter: ['23', '23'],
        relatedAddressComponentFilter: [{ component: 'capital', values: ['Augusta'] }],
      });
      expect(appliedFilters).toEqual({
        ...NONE,
        relatedFeatures: ['23'],
        relatedAddressComponents: [{ component: 'capital', values: ['Augusta'] }],
      });
    });

    test('a default and a filter of the request on the same component both apply and are shown', async () => {
      const ask = async (...values: readonly string[]) => {
        const { appliedFilters, totalSize } = await service.searchMetricValues({
          addressComponentFilter: [{ component: 'is_obfuscated', values }],
        });
        return [appliedFilters.addressComponents, totalSize];
      };
      const own = (...values: readonly string[]) => ({ component: 'is_obfuscated', values });
      expect(await ask('true')).toEqual([[own('true'), DEFAULT], 0]);
      expect(await ask('true', 'false')).toEqual([[own('true', 'false'), DEFAULT], 8]);
      expect(await ask('')).toEqual([[own(''), DEFAULT], 0]);
      expect(await ask('false')).toEqual([[DEFAULT], 8]);
    });
  });
});
