import type { Caller } from '@locmetrics/core/domain/caller';
import { type Grant, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import { toDataReference } from '@locmetrics/core/encoding/data-reference';
import { toLensMessage } from '@locmetrics/core/encoding/lens-protobuf';
import { getDataReference, listDataReferences } from '@locmetrics/server/service/describe-datasets';
import {
  getLayer,
  listAddressComponents,
} from '@locmetrics/server/service/features/describe-layers';
import { listCatalogs } from '@locmetrics/server/service/list-catalogs';
import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';
import { ENGINES } from './engines/engines.ts';
import { openService, useService } from './engines/service-under-test.ts';
import { toCall } from './engines/test-call.ts';
import { describeOn, testOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { defineLayer } from './metrics/define-layer.ts';
import { CATALOG_ID, defineMetric } from './metrics/define-metric.ts';
import { PARK_TABLES } from './parks.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const PLACES = defineTable({
  name: 'shop.places',
  fields: {
    id: 'string',
    name: 'string',
    region: 'string',
    county: 'string',
    parent: 'string',
    headcount: { type: 'integer', suppressBelow: 5 },
    latitude: 'float',
    longitude: 'float',
    is_closed: 'boolean',
  },
  point: { latitude: 'latitude', longitude: 'longitude' },
  layers: [
    defineLayer({
      id: 'places',
      components: {
        region: { kind: 'map', mapLayerId: 'regions' },
        county: 'map',
        is_closed: 'taxonomy',
      },
    }),
  ],
  metrics: [
    defineMetric({
      metricId: 'children',
      layerId: 'places',
      featureId: 'id',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-01-01' } },
      measures: { headcount: 'count' },
      related: { layerId: 'places', featureId: 'parent', relationType: 'parent' },
    }),
    defineMetric({
      metricId: 'sizes',
      layerId: 'places',
      featureId: 'id',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-01-01' } },
      measures: { headcount: 'count' },
      defaultFilters: [{ component: 'is_closed', values: ['false'] }],
    }),
  ],
  rows: [
    ['p1', 'Alder', 'CA', 'Inyo', 'p3', 3n, 1, 1, false],
    ['p2', 'Birch', 'CA', 'Kern', 'p1', 8n, 2, 2, true],
    ['p3', 'Cedar', 'NV', 'Nye', 'p4', 9n, 3, 3, false],
    ['p4', 'Dogwood', 'NV', 'Elko', 'p1', 4n, 4, 4, false],
  ].map(([id, name, region, county, parent, headcount, latitude, longitude, is_closed]) => ({
    id: id ?? null,
    name: name ?? null,
    region: region ?? null,
    county: county ?? null,
    parent: parent ?? null,
    headcount: headcount ?? null,
    latitude: latitude ?? null,
    longitude: longitude ?? null,
    is_closed: is_closed ?? null,
  })),
});

const VISITS = defineTable({
  name: 'shop.visits',
  fields: {
    place: 'string',
    day: 'date',
    visits: { type: 'integer', suppressBelow: 5 },
    staff: 'integer',
    grade: 'string',
    is_busy: 'boolean',
  },
  key: ['place', 'day'],
  period: { start: 'day', end: 'day' },
  metrics: [
    defineMetric({
      metricId: 'visits',
      layerId: 'places',
      measures: { visits: { kind: 'count', isNullable: false }, staff: 'count' },
      dimensions: { grade: {} },
      flags: [{ flag: 'busy', field: 'is_busy' }],
      defaultFilters: [{ component: 'is_closed', values: ['false'] }],
    }),
    defineMetric({
      metricId: 'staff',
      layerId: 'places',
      measures: { staff: 'count' },
      dimensions: { grade: { defaultValue: 'a' } },
    }),
  ],
  publishedTime: '2024-01-02T00:00:00.000Z',
  rows: ['p1', 'p2', 'p3', 'p4'].flatMap((place, index) => [
    { place, day: '2024-01-01', visits: 3n + BigInt(index), staff: 1n, grade: 'a', is_busy: true },
    {
      place,
      day: '2024-01-02',
      visits: 20n,
      staff: 2n,
      grade: ['a', 'closed', 'b', 'b'][index] ?? '',
      is_busy: false,
    },
  ]),
});

const grant = (pattern: string, members: Partial<Grant> = {}): Grant => ({
  ...wholeGrant(`of ${pattern}`, pattern),
  ...members,
});

const callerWith = (...grants: readonly Grant[]): Caller => ({
  ...createCaller({ organisationId: 'acme', tokenId: 'token' }),
  rights: createRights({ organisationId: 'acme', grants }),
});

const lensOf = (lens: Partial<Grant['lens']>) => ({ lens: { ...WHOLE_LENS, ...lens } });

describeOn(ENGINES)('rights, $name engine', (engine) => {
  const service = useService(engine, VISITS, PLACES);
  const dataset = 'shop.places';
  const billingContext = 'acme';

  test('without a grant nothing is visible, and data without a grant look like data that do not exist', async () => {
    const caller = callerWith();
    const call = toCall({ caller });
    expect(await listDataReferences(service.context(), { billingContext: '' }, call)).toEqual([]);
    expect(listCatalogs(service.context(), call)).toEqual([]);
    expect(listAddressComponents(service.context(), call)).toEqual([]);
    const hidden = await refusalOf(service.listRecords({ caller, dataset }));
    const none = await refusalOf(service.listRecords({ caller, dataset: 'shop.plazes' }));
    expect(hidden.replaceAll('places', 'plazes')).toBe(none);
    const question = { caller, billingContext, metricId: 'visits' };
    const hiddenMetric = await refusalOf(service.searchMetricValues(question));
    const noCatalog = await refusalOf(
      service.searchMetricValues({ ...question, catalogId: 'nothing' }),
    );
    expect(hiddenMetric.replaceAll(CATALOG_ID, 'nothing')).toBe(noCatalog);
  });

  test('a hidden metric or dataset is not suggested for a mistyped name', async () => {
    const caller = callerWith(grant(`${CATALOG_ID}/staff`), grant('shop.visits'));
    expect(
      await refusalOf(service.searchMetricValues({ caller, billingContext, metricId: 'visit' })),
    ).not.toContain('visits');
    expect(await refusalOf(service.listRecords({ caller, dataset: 'shop.place' }))).not.toContain(
      'shop.places',
    );
  });

  test('only the most specific grant counts', async () => {
    const caller = callerWith(
      grant('shop.*'),
      grant('shop.places', { filters: [where('region', '==', 'NV')] }),
    );
    expect(await service.column('id', { caller, dataset })).toEqual(['p3', 'p4']);
    expect((await service.listRecords({ caller, dataset: 'shop.visits' })).totalSize).toBe(8);
  });

  test('a hidden field is unknown everywhere, and in no hint', async () => {
    const caller = callerWith(grant(dataset, { fields: ['id', 'region'] }));
    const asked = [
      service.listRecords({ caller, dataset, fields: ['name'] }),
      service.listRecords({ caller, dataset, filters: [where('name', '==', 'Alder')] }),
      service.listRecords({ caller, dataset, orderBy: { fieldName: 'name', descending: false } }),
      service.listRecords({
        caller,
        dataset,
        orderBy: { fieldName: 'region', descending: false },
        thenBy: [{ fieldName: 'name', descending: false }],
      }),
      service.searchFieldValues({ caller, dataset, field: 'name' }),
      service.listRecords({ caller, dataset, fields: ['nam'] }),
    ];
    for (const answer of asked) {
      const refusal = await refusalOf(answer);
      expect(refusal).toContain('UNKNOWN_FIELD');
      expect(refusal).not.toMatch(/Did you mean|county|latitude/);
    }
    const { fields, rows } = await service.listRecords({ caller, dataset });
    expect(fields.map(({ name }) => name)).toEqual(['id', 'region']);
    expect(rows[0]).toEqual(['p1', 'CA']);
  });

  test('an area is refused if the point is hidden', async () => {
    const caller = callerWith(grant(dataset, { fields: ['id', 'latitude'] }));
    const box = { minLng: 0, minLat: 0, maxLng: 1, maxLat: 1 };
    expect(await refusalOf(service.listRecords({ caller, dataset, box }))).toContain(
      'UNAVAILABLE_OPTION',
    );
    const polygon = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ] as const;
    expect(await refusalOf(service.listRecords({ caller, dataset, polygon }))).toContain(
      'UNAVAILABLE_OPTION',
    );
    const circle = { longitude: 0, latitude: 0, radiusMetres: 1 };
    const refusal = await refusalOf(service.listRecords({ caller, dataset, circle }));
    expect(refusal).toContain('UNAVAILABLE_OPTION');
    expect(refusal).toContain('have no point');
  });

  test('pages have no gaps if the key is hidden', async () => {
    const caller = callerWith(
      grant('shop.visits', { fields: ['visits'], filters: [where('place', '!=', 'p1')] }),
    );
    const question = { caller, dataset: 'shop.visits', pageSize: 2 };
    expect(await service.column('visits', question)).toEqual(['', '20', '5', '20', '6', '20']);
  });

  test('a small cell is absent for every request', async () => {
    const caller = callerWith(grant('*'));
    const question = { caller, dataset: 'shop.visits' };
    const places = async (filters: readonly ReturnType<typeof where>[]) =>
      service.column('place', { ...question, filters });
    expect(await service.column('visits', question)).toEqual([
      '',
      '20',
      '',
      '20',
      '5',
      '20',
      '6',
      '20',
    ]);
    expect(await places([where('visits', '<', 5)])).toEqual([]);
    expect(await places([where('visits', '!=', 20)])).toEqual(['p3', 'p4']);
    expect(await places([whereIn('visits', 'in', ['3', '4'])])).toEqual([]);
    expect(await places([where('visits', 'is_empty')])).toEqual(['p1', 'p2']);
    expect(await service.values('visits', question)).toEqual(['5', '6', '20']);
    const orderBy = { fieldName: 'visits', descending: false };
    expect((await service.column('visits', { ...question, orderBy })).slice(-2)).toEqual(['', '']);
    const trusted = callerWith(grant('*', { showsSmallCells: true }));
    expect(await service.values('visits', { ...question, caller: trusted })).toEqual([
      '3',
      '4',
      '5',
      '6',
      '20',
    ]);
  });

  test('a small cell of a metric is an absent value, and a filter on the value does not find it', async () => {
    const caller = callerWith(grant('*'));
    const question = { caller, billingContext, metricId: 'visits', featureFilter: ['p1'] };
    const { values } = await service.searchMetricValues(question);
    expect(values.map(({ measures }) => measures[0])).toEqual([null, 20n]);
    const valueFilter = [
      { valueName: 'visits', operator: 'GREATER_THAN_OR_EQUAL_TO', numericValue: 1 } as const,
    ];
    expect((await service.searchMetricValues({ ...question, valueFilter })).totalSize).toBe(1);
    const { version } = await service.getMetric({ caller, metricId: 'visits' });
    expect(version.metric.measures.map(({ isNullable }) => isNullable)).toEqual([true, true]);
  });

  test('a filter of the grant on records treats small cells as absent', async () => {
    const caller = callerWith(grant('shop.visits', { filters: [where('visits', '<', 6)] }));
    const question = { caller, dataset: 'shop.visits' };
    expect(await service.column('place', question)).toEqual(['p3']);
  });

  test('every search of a metric shows only the features of its lens', async () => {
    const caller = callerWith(
      grant(`${CATALOG_ID}/visits`, {
        ...lensOf({ addressComponents: [{ component: 'region', values: ['NV'] }] }),
      }),
    );
    const { features, totalSize } = await service.searchLayerFeatures({ caller });
    expect(features.map(({ featureId }) => featureId)).toEqual(['p3', 'p4']);
    expect(totalSize).toBe(2);
    const counties = await service.searchAddressComponentValues({ caller, component: 'county' });
    expect(counties.values.map(({ value }) => value)).toEqual(['Elko', 'Nye']);
    const grades = await service.searchDimensionValues({ caller, dimensionId: 'grade' });
    expect(grades.values.map(({ value }) => value)).toEqual(['a', 'b']);
    const { totalSize: values } = await service.searchMetricValues({ caller, billingContext });
    expect(values).toBe(4);
  });

  test('a filter on records hides the features without remaining records', async () => {
    const caller = callerWith(
      grant(`${CATALOG_ID}/visits`, { filters: [where('grade', '==', 'b')] }),
    );
    const { features } = await service.searchLayerFeatures({ caller });
    expect(features.map(({ featureId }) => featureId)).toEqual(['p3', 'p4']);
  });

  test('a layer of two metrics shows the features of either, with the components of both', async () => {
    const caller = callerWith(
      grant(`${CATALOG_ID}/visits`, {
        ...lensOf({ features: ['p1'] }),
        fields: ['visits', 'region'],
      }),
      grant(`${CATALOG_ID}/staff`, {
        ...lensOf({ features: ['p3'] }),
        fields: ['staff', 'region', 'county'],
      }),
    );
    const { features } = await service.searchLayerFeatures({ caller });
    expect(
      features.map(({ featureId, addressComponents }) => [
        featureId,
        ...addressComponents.map(({ component }) => component),
      ]),
    ).toEqual([
      ['p1', 'region'],
      ['p3', 'region'],
    ]);
    const request = { catalogId: CATALOG_ID, layerId: 'places' };
    const { layer } = getLayer(service.context(), request, toCall({ caller }));
    expect(layer.addressComponents.map(({ component }) => component)).toEqual(['region']);
  });

  const ofNevada = grant(`${CATALOG_ID}/visits`, {
    ...lensOf({
      addressComponents: [{ component: 'region', values: ['NV', 'UT'] }],
      features: ['p3', 'p1', 'p9'],
      period: { start: '2024-01-02' },
    }),
  });

  test.each([
    ['a value that exists', { addressComponentFilter: [{ component: 'region', values: ['CA'] }] }],
    [
      'a value that does not exist',
      { addressComponentFilter: [{ component: 'region', values: ['XX'] }] },
    ],
    ['a feature that exists', { featureFilter: ['p4'] }],
    ['a feature that does not exist', { featureFilter: ['p5'] }],
  ])(
    'a filter on %s outside the list of the grant is refused with the same message',
    async (_, filters) => {
      const question = { caller: callerWith(ofNevada), billingContext, ...filters };
      const refusal = await refusalOf(service.searchMetricValues(question));
      expect(refusal.split('\n').slice(1)).toEqual([
        'Your organisation may see only listed values of this filter, and this value is not in the list.',
        'Leave the value out, or send bestEffortQueryWhenNotAllowed to get the part that you may see.',
      ]);
      // Aggregates have no such member.
      const ofAggregates = await refusalOf(service.searchMetricAggregates(question));
      expect(ofAggregates.split('\n').at(-1)).toBe('Leave the value out.');
      const { values } = await service.searchMetricValues({
        ...question,
        bestEffortQueryWhenNotAllowed: true,
      });
      expect(values).toEqual([]);
    },
  );

  test('a listed value or id that does not exist, or is hidden otherwise, finds nothing', async () => {
    const question = { caller: callerWith(ofNevada), billingContext };
    for (const filters of [
      { featureFilter: ['p9'] },
      { featureFilter: ['p1'] },
      { addressComponentFilter: [{ component: 'region', values: ['UT'] }] },
      { addressComponentFilter: [{ component: 'county', values: ['Inyo'] }] },
    ]) {
      expect((await service.searchMetricValues({ ...question, ...filters })).totalSize).toBe(0);
    }
  });

  test('the filters of the grant are in each answer, and in the lens of the metric', async () => {
    const caller = callerWith(ofNevada);
    const { appliedFilters, values } = await service.searchMetricValues({
      caller,
      billingContext,
      featureFilter: ['p3'],
    });
    expect(values.map(({ feature, period }) => [feature.featureId, period.start])).toEqual([
      ['p3', '2024-01-02'],
    ]);
    expect(appliedFilters).toMatchObject({
      periods: [{ start: '2024-01-02' }],
      features: ['p3'],
      addressComponents: [
        { component: 'is_closed', values: ['false'] },
        { component: 'region', values: ['NV', 'UT'] },
      ],
    });
    const { version } = await service.getMetric({ caller });
    expect(toLensMessage(version)?.lensFilters).toMatchObject({
      featureFilters: ['p3', 'p1', 'p9'],
      addressComponentFilters: [{ component: 'region', values: ['NV', 'UT'] }],
    });
    const whole = await service.getMetric({ caller: callerWith(grant('*')) });
    expect(toLensMessage(whole.version)).toBeUndefined();
  });

  test('a default filter is lifted only if the grant allows it', async () => {
    const question = {
      billingContext,
      addressComponentFilter: [{ component: 'is_closed', values: ['true'] }],
    };
    const answered = await service.searchMetricValues({
      ...question,
      caller: callerWith(grant('*')),
    });
    expect(answered.totalSize).toBe(0);
    const caller = callerWith(grant('*', { liftsDefaultFilters: true }));
    const lifted = await service.searchMetricValues({ ...question, caller });
    expect(lifted.values.map(({ feature }) => feature.featureId)).toEqual(['p2', 'p2']);
    expect(lifted.appliedFilters.addressComponents).toEqual(question.addressComponentFilter);
    const { addressComponentFilter: _none, ...unnamed } = question;
    expect((await service.searchMetricValues({ ...unnamed, caller })).totalSize).toBe(6);
  });

  test('a default filter on a hidden component applies and is not shown', async () => {
    const caller = callerWith(grant(`${CATALOG_ID}/visits`, { fields: ['visits', 'region'] }));
    const { totalSize, appliedFilters } = await service.searchMetricValues({
      caller,
      billingContext,
    });
    expect(totalSize).toBe(6);
    expect(appliedFilters.addressComponents).toEqual([]);
  });

  test('a default filter removes values but no features, with a hidden or a visible component', async () => {
    const placesOf = async (members: Partial<Grant>) => {
      const caller = callerWith(grant(`${CATALOG_ID}/visits`, members));
      const { values } = await service.searchMetricValues({ caller, billingContext });
      const { features, totalSize } = await service.searchLayerFeatures({ caller });
      const counties = await service.searchAddressComponentValues({ caller, component: 'county' });
      return {
        withValues: [...new Set(values.map(({ feature }) => feature.featureId))],
        features: features.map(({ featureId }) => featureId),
        totalSize,
        counties: counties.values.map(({ value }) => value),
      };
    };
    const all = {
      withValues: ['p1', 'p3', 'p4'],
      features: ['p1', 'p2', 'p3', 'p4'],
      totalSize: 4,
      counties: ['Elko', 'Inyo', 'Kern', 'Nye'],
    };
    expect(await placesOf({})).toEqual(all);
    expect(await placesOf({ fields: ['visits', 'county'] })).toEqual(all);
    const inCalifornia = lensOf({ addressComponents: [{ component: 'region', values: ['CA'] }] });
    expect(await placesOf({ fields: ['visits', 'county'], ...inCalifornia })).toEqual({
      withValues: ['p1'],
      features: ['p1', 'p2'],
      totalSize: 2,
      counties: ['Inyo', 'Kern'],
    });
  });

  test('a default filter on a hidden component removes no feature if the values are the features', async () => {
    const metricId = 'sizes';
    const caller = callerWith(
      grant(`${CATALOG_ID}/${metricId}`, { fields: ['headcount', 'county'] }),
    );
    const { values } = await service.searchMetricValues({ caller, billingContext, metricId });
    expect(values.map(({ feature }) => feature.featureId)).toEqual(['p1', 'p3', 'p4']);
    const { features } = await service.searchLayerFeatures({ caller });
    expect(features.map(({ featureId }) => featureId)).toEqual(['p1', 'p2', 'p3', 'p4']);
  });

  test('a grant that does not fit the published data shows nothing of them', async () => {
    const caller = callerWith(
      grant('shop.places', { filters: [where('regoin', '==', 'CA')] }),
      grant(`${CATALOG_ID}/visits`, { fields: ['staff'] }),
      grant(`${CATALOG_ID}/staff`),
    );
    expect(await refusalOf(service.listRecords({ caller, dataset }))).toContain(
      'DATA_REFERENCE_NOT_FOUND',
    );
    const { metrics } = await service.listMetrics({ caller });
    expect(metrics.map(({ version }) => version.metric.metricId)).toEqual(['staff']);
  });

  test('a page token does not work with other rights', async () => {
    const question = { dataset, pageSize: 1 };
    const before = callerWith(grant('shop.*'));
    const { nextPageToken: pageToken } = await service.listRecords({ ...question, caller: before });
    const after = callerWith(grant('shop.*', { filters: [where('region', '==', 'CA')] }));
    expect(
      await refusalOf(service.listRecords({ ...question, caller: after, pageToken })),
    ).toContain('PAGE_TOKEN_EXPIRED');
  });

  test('a lens on related features applies if the values are the features themselves', async () => {
    const metricId = 'children';
    const caller = callerWith(
      grant(`${CATALOG_ID}/${metricId}`, {
        ...lensOf({ relatedAddressComponents: [{ component: 'region', values: ['CA'] }] }),
        fields: ['headcount', 'county'],
      }),
    );
    const { values } = await service.searchMetricValues({ caller, billingContext, metricId });
    expect(
      values.map(({ feature, relatedFeature }) => [feature.featureId, relatedFeature?.featureId]),
    ).toEqual([
      ['p2', 'p1'],
      ['p4', 'p1'],
    ]);
    expect(values[0]?.relatedFeature?.addressComponents.map(({ component }) => component)).toEqual([
      'county',
    ]);
  });

  test('callers with and without small cells get different extents', async () => {
    const filters = [where('visits', 'is_empty')];
    const [trusted, other] = [true, false].map((showsSmallCells) =>
      callerWith(grant(`${CATALOG_ID}/visits`, { filters, showsSmallCells })),
    );
    if (trusted === undefined || other === undefined) throw new Error('There are two.');
    for (const caller of [other, trusted, other]) {
      const { extent } = await service.getMetric({ caller });
      expect(extent.count).toBe(caller === trusted ? 0 : 1);
      const { totalSize } = await service.searchMetricValues({ caller, billingContext });
      expect(totalSize).toBe(caller === trusted ? 0 : 1);
    }
  });

  test('a filter on a hidden component or dimension is refused as unknown, for every value', async () => {
    const caller = callerWith(
      grant(`${CATALOG_ID}/visits`, {
        ...lensOf({
          addressComponents: [{ component: 'region', values: ['NV'] }],
          dimensions: [{ dimensionId: 'grade', values: ['b'] }],
        }),
        fields: ['visits', 'county'],
      }),
    );
    const ask = (filters: object) =>
      refusalOf(service.searchMetricValues({ caller, billingContext, ...filters }));
    const component = (name: string, value: string) => ({
      addressComponentFilter: [{ component: name, values: [value] }],
    });
    const dimension = (dimensionId: string, value: string) => ({
      dimensionFilter: [{ dimensionId, values: [value] }],
    });
    const unknown = await ask(component('regiom', 'NV'));
    for (const value of ['NV', 'CA', 'XX']) {
      const refusal = await ask(component('region', value));
      expect(refusal.replaceAll("'region'", "'regiom'")).toBe(unknown);
    }
    const noDimension = await ask(dimension('grabe', 'b'));
    for (const value of ['a', 'b', 'z']) {
      const refusal = await ask(dimension('grade', value));
      expect(refusal.replaceAll("'grade'", "'grabe'")).toBe(noDimension);
    }
  });

  test('small cells hidden in one metric do not reveal features through another', async () => {
    const caller = callerWith(
      // This grant shows all headcounts, so none is empty.
      grant(`${CATALOG_ID}/children`, {
        filters: [where('headcount', 'is_empty')],
        showsSmallCells: true,
      }),
      grant(`${CATALOG_ID}/visits`, { ...lensOf({ features: ['p2'] }) }),
    );
    const { features } = await service.searchLayerFeatures({ caller });
    expect(features.map(({ featureId }) => featureId)).toEqual(['p2']);
  });

  test('values of a dimension that a default filter hides are listed if the filter may be lifted', async () => {
    const grades = async (members: Partial<Grant>) => {
      const caller = callerWith(grant(`${CATALOG_ID}/visits`, members));
      const { values } = await service.searchDimensionValues({ caller, dimensionId: 'grade' });
      return values.map(({ value }) => value);
    };
    expect(await grades({})).toEqual(['a', 'b']);
    expect(await grades({ liftsDefaultFilters: true })).toEqual(['a', 'b', 'closed']);
  });

  test('no value has a hidden flag', async () => {
    const flagsOf = async (fields: readonly string[]) => {
      const caller = callerWith(grant(`${CATALOG_ID}/visits`, { fields }));
      const { values } = await service.searchMetricValues({ caller, billingContext });
      return [...new Set(values.flatMap(({ flags }) => flags))];
    };
    expect(await flagsOf(['visits', 'busy'])).toEqual(['busy']);
    expect(await flagsOf(['visits'])).toEqual([]);
  });

  test('a granted list of dimension values without the default replaces the default, and the report shows it', async () => {
    const metricId = 'staff';
    const caller = callerWith(
      grant(`${CATALOG_ID}/${metricId}`, {
        ...lensOf({ dimensions: [{ dimensionId: 'grade', values: ['b'] }] }),
      }),
    );
    const answered = await service.searchMetricValues({ caller, billingContext, metricId });
    expect(answered.values.map(({ feature }) => feature.featureId)).toEqual(['p3', 'p4']);
    const { appliedFilters } = await service.getMetricReport({ caller, metricId });
    expect(appliedFilters.dimensions).toEqual([{ dimensionId: 'grade', values: ['b'] }]);
  });

  test('a component does not name a layer that the caller cannot see', async () => {
    const caller = callerWith(grant('*'));
    const listed = listAddressComponents(service.context(), toCall({ caller }));
    expect(listed.map(({ component }) => component.mapLayerId)).toEqual(['', '', '']);
  });
});

describeOn(ENGINES)('rights to totals over a dimension, $name engine', (engine) => {
  const AGES = defineTable({
    name: 'shop.ages',
    fields: {
      number: 'integer',
      place: 'string',
      age: { type: 'string', totalLabel: 'All ages' },
      visits: 'integer',
    },
    key: ['number'],
    metrics: [
      defineMetric({
        metricId: 'ages',
        layerId: 'places',
        period: { start: { day: '2024-01-01' }, end: { day: '2024-01-01' } },
        measures: { visits: 'count' },
        dimensions: { age: { defaultValue: 'All ages' } },
      }),
    ],
    rows: [
      ['All ages', 3n],
      ['adult', 2n],
      ['child', 1n],
      [null, 7n],
    ].map(([age, visits], index) => ({
      number: BigInt(index),
      place: 'p1',
      age: age ?? null,
      visits: visits ?? null,
    })),
  });
  const service = useService(engine, AGES, PLACES);

  test.each([
    [where('age', '!=', 'child'), ['adult']],
    [whereIn('age', 'not_in', ['child']), ['adult']],
    [where('age', 'contains', 'a'), ['adult']],
    [where('age', 'starts_with', 'A'), ['adult']],
    [where('age', 'is_not_empty', ''), ['adult', 'child']],
    [where('age', 'is_empty', ''), ['']],
    [where('age', '==', 'adult'), ['adult']],
    [whereIn('age', 'in', ['adult', 'All ages']), ['All ages', 'adult']],
    [where('visits', '>', '2'), ['', 'All ages']],
  ])(
    'a grant that leaves ages out leaves out their total, unless it lists it: %j',
    async (filter, seen) => {
      const caller = callerWith(
        grant('*', { filters: [filter] }),
        grant('*/*', { filters: [filter] }),
      );
      const records = await service.column('age', { caller, dataset: 'shop.ages' });
      expect(records.map((age) => age ?? '').toSorted()).toEqual(seen);
      const { values } = await service.searchMetricValues({
        caller,
        billingContext: 'acme',
        metricId: 'ages',
      });
      // Without a filter of the request, the default of the dimension is the total.
      expect(values).toHaveLength(seen.includes('All ages') ? 1 : 0);
    },
  );
});

describeOn(ENGINES)('rights to roles of fields, $name engine', (engine) => {
  const STAYS = defineTable({
    name: 'shop.stays',
    fields: {
      id: { type: 'string', sourceColumn: 'feature.feature_id.value' },
      first_day: { type: 'date', sourceColumn: 'observation_period.start.value' },
      last_day: { type: 'date', sourceColumn: 'observation_period.end.value' },
      opened: { type: 'date', sourceColumn: 'feature.came_into_existence.value' },
      closed: { type: 'date', sourceColumn: 'feature.ceased_to_exist.value' },
      latitude: { type: 'float', sourceColumn: 'feature.latitude.value' },
      longitude: { type: 'float', sourceColumn: 'geo.lng.value' },
    },
    point: { latitude: 'latitude', longitude: 'longitude' },
    period: { start: 'first_day', end: 'last_day' },
    existence: { start: 'opened', end: 'closed' },
    rows: [
      ['inside', '2024-01-10', '2024-01-11', '2024-01-01', '2024-01-31'],
      ['outside', '2024-02-10', '2024-02-11', '2024-01-01', '2024-01-31'],
    ].map(([id, first_day, last_day, opened, closed]) => ({
      id: id ?? null,
      first_day: first_day ?? null,
      last_day: last_day ?? null,
      opened: opened ?? null,
      closed: closed ?? null,
      latitude: 1,
      longitude: 1,
    })),
  });
  const service = useService(engine, STAYS);
  const dataset = 'shop.stays';
  const names = STAYS.version.dataset.fields.map(({ name }) => name);
  const callerWithout = (...hidden: readonly string[]) =>
    callerWith(grant(dataset, { fields: names.filter((name) => !hidden.includes(name)) }));

  test.each(['first_day', 'last_day', 'opened', 'closed'])(
    'if %s is hidden, a caller cannot choose between records inside and outside the existence',
    async (hidden) => {
      const caller = callerWithout(hidden);
      for (const trim of ['trim', 'ignore'] as const) {
        expect(await service.column('id', { caller, trim })).toEqual(['inside']);
        expect(await service.values('id', { caller, trim })).toEqual(['inside']);
      }
      const reference = await getDataReference(
        service.context(),
        { dataReferenceName: dataset, billingContext: '' },
        toCall({ caller }),
      );
      expect(reference.rowCount).toBe(1);
      expect(toDataReference(reference).options.trimToPeriodOfExistence.available).toBe(false);
    },
  );

  test('if the days of period and existence are visible, the caller can choose', async () => {
    const caller = callerWithout('latitude');
    expect(await service.column('id', { caller, trim: 'trim' })).toEqual(['inside']);
    expect(await service.column('id', { caller, trim: 'ignore' })).toEqual(['inside', 'outside']);
  });

  test.each([
    ['last_day', 'first_day', 'feature.first_day.value'],
    ['first_day', 'last_day', 'feature.last_day.value'],
    ['closed', 'opened', 'feature.opened.value'],
    ['opened', 'closed', 'feature.closed.value'],
    ['longitude', 'latitude', 'metric_value.latitude.value'],
  ])(
    'the role of the hidden %s is not revealed by the source column of %s',
    async (hidden, seen, sourceColumn) => {
      const caller = callerWithout(hidden);
      const { fields } = await service.listRecords({ caller, fields: [seen] });
      expect(fields.map((field) => field.sourceColumn)).toEqual([sourceColumn]);
      const before =
        STAYS.version.dataset.fields.find(({ name }) => name === seen)?.sourceColumn ?? '';
      const asked = service.listRecords({ caller, fields: [{ name: seen, source: before }] });
      expect(await refusalOf(asked)).toContain('INVALID_FIELD');
    },
  );

  test('a source column from the manifest stays, and so does one of a fully visible role', async () => {
    const caller = callerWithout('latitude', 'first_day');
    const { fields } = await service.listRecords({ caller });
    expect(fields.map(({ sourceColumn }) => sourceColumn)).toEqual([
      'feature.feature_id.value',
      'feature.last_day.value',
      'feature.came_into_existence.value',
      'feature.ceased_to_exist.value',
      'geo.lng.value',
    ]);
  });
});

describeOn(ENGINES)('rights to a related layer, $name engine', (engine) => {
  const service = useService(engine, ...PARK_TABLES);
  const metricId = 'trips_to_states';
  const pattern = `${CATALOG_ID}/${metricId}`;
  const ask = (fields: readonly string[]) =>
    service.searchMetricValues({
      caller: callerWith(grant(pattern, { fields })),
      billingContext: 'acme',
      metricId,
      featureFilter: ['ACAD'],
    });

  test('a component that only the related layer has can be granted, seen and filtered on', async () => {
    const fields = ['trips', 'capital'];
    expect(service.context().checkGrant(grant(pattern, { fields }))).toEqual([pattern]);
    const { values } = await ask(fields);
    expect(
      values.map(({ feature, relatedFeature }) => [
        feature.addressComponents,
        relatedFeature?.addressComponents.map(({ component, value }) => [component, value]),
      ]),
    ).toEqual([
      [[], [['capital', 'Augusta']]],
      [[], [['capital', '']]],
      [[], [['capital', 'Augusta']]],
    ]);
  });

  test('a granted component of both layers is visible in both, and other components are not', async () => {
    const { values } = await ask(['trips', 'state']);
    expect(
      values.map(({ feature, relatedFeature }) => [
        feature.addressComponents.map(({ value }) => value),
        relatedFeature?.addressComponents.map(({ value }) => value),
      ]),
    ).toEqual([
      [['23'], ['23']],
      [['23'], ['56']],
      [['23'], ['23']],
    ]);
  });

  test('a component that neither layer has cannot be granted', () => {
    const terms = grant(pattern, { fields: ['trips', 'capitol'] });
    expect(() => service.context().checkGrant(terms)).toThrow(
      expect.objectContaining({ reason: 'UNKNOWN_FIELD', hint: "Did you mean 'capital'?" }),
    );
  });
});

testOn(ENGINES)(
  'small cells of older versions are suppressed by the current rule, $name engine',
  async (engine) => {
    const before = { ...VISITS, version: { ...VISITS.version } };
    const fields = VISITS.version.dataset.fields.map((field) =>
      field.name === 'visits' ? { ...field, suppressBelow: 6 } : field,
    );
    const after = {
      ...VISITS,
      version: {
        ...VISITS.version,
        dataset: { ...VISITS.version.dataset, fields },
        version: '20240103T000000000Z-0123456789ab',
        publishedTime: '2024-01-03T00:00:00.000Z',
      },
    };
    const service = await openService(engine, [before, PLACES, after]);
    try {
      const caller = callerWith(grant('*'));
      const asOf = before.version.version;
      const question = { caller, dataset: 'shop.visits' };
      expect(await service.values('visits', question)).toEqual(['6', '20']);
      expect(await service.values('visits', { ...question, asOf })).toEqual(['6', '20']);
      const shown = callerWith(grant('*', { showsSmallCells: true }));
      expect(await service.values('visits', { ...question, caller: shown, asOf })).toContain('3');
    } finally {
      await service.close();
    }
  },
);
