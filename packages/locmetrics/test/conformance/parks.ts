import { defineLayer } from './metrics/define-layer.ts';
import { defineMetric } from './metrics/define-metric.ts';
import { defineTable, type SourceRow } from './table.ts';

/**
 * A catalog with the difficult cases of real data. It has parks that existed for a time, some of them
 * obfuscated, with components of every type, blank values and non-ASCII names. It has their visits by month
 * and age, some without a park, a period or a count. It has trips between parks and states, and the area of
 * a park, whose record is the park itself.
 */

const PARKS = defineTable({
  name: 'conformance.parks',
  fields: {
    id: 'string',
    name: 'string',
    latitude: 'float',
    longitude: 'float',
    opened: 'date',
    closed: 'date',
    is_obfuscated: 'boolean',
    state: 'string',
    state_short: 'string',
    state_name: 'string',
    gates: 'integer',
    since: 'date',
    ratio: 'float',
    note: 'string',
    hectares: 'float',
  },
  rows: [
    park('ACAD', 'Acadia', { state: '23', state_short: 'ME', state_name: 'Maine', gates: 7n }),
    park('YELL', 'Yellowstone', {
      state: '56',
      state_short: 'WY',
      state_name: 'Wyoming',
      opened: '2024-01-31',
      latitude: 44.6,
      longitude: -110.5,
      hectares: 898_317.5,
    }),
    park('zürich', 'Zürichsee 😀', {
      state: '007',
      state_name: 'Zürich',
      closed: '2024-02-01',
      since: '1848-09-12',
      ratio: 1e21,
      note: 'free',
    }),
    park('hidden', 'Secret', { is_obfuscated: true, state: '23', state_name: 'Maine' }),
    park('blank', '', { is_obfuscated: null, state: ' ', gates: null }),
    park('é', 'É', { state: '7', gates: -(2n ** 63n), since: '0001-01-01' }),
  ],
  layers: [
    defineLayer({
      id: 'parks',
      point: { latitude: 'latitude', longitude: 'longitude' },
      existence: { start: 'opened', end: 'closed' },
      components: {
        state: {
          kind: 'map',
          fields: { value: 'state', shortName: 'state_short', displayName: 'state_name' },
        },
        is_obfuscated: 'taxonomy',
        gates: 'count',
        since: 'taxonomy',
        ratio: 'taxonomy',
        note: 'free_form',
      },
    }),
  ],
  metrics: [
    defineMetric({
      metricId: 'area',
      layerId: 'parks',
      featureId: 'id',
      period: { start: { day: '2024-01-01' }, end: { day: '2024-01-31' } },
      measures: { hectares: 'number' },
    }),
  ],
  publishedTime: '2024-01-01T12:00:00.000Z',
});

function park(id: string, name: string, declared: SourceRow): SourceRow {
  return { id, name, is_obfuscated: false, hectares: 0, ...declared };
}

const STATES = defineTable({
  name: 'conformance.states',
  fields: { id: 'string', name: 'string', capital: 'string', state: 'integer' },
  rows: [
    { id: '23', name: 'Maine', capital: 'Augusta', state: 23n },
    { id: '56', name: 'Wyoming', capital: null, state: 56n },
    { id: '007', name: null, capital: 'Bern', state: 7n },
  ],
  layers: [
    defineLayer({
      id: 'states',
      // The same component as that of the parks, but as numbers and with other names.
      components: { capital: 'map', state: { fields: { value: 'state', displayName: 'name' } } },
    }),
  ],
  publishedTime: '2024-01-02T12:00:00.000Z',
});

const JANUARY = { first_day: '2024-01-01', last_day: '2024-01-31' } as const;
const FEBRUARY = { first_day: '2024-02-01', last_day: '2024-02-29' } as const;

const VISITS = defineTable({
  name: 'conformance.visits',
  fields: {
    number: 'integer',
    park: 'string',
    first_day: 'date',
    last_day: 'date',
    age: 'string',
    age_name: 'string',
    floor: 'integer',
    visits: 'integer',
    share: 'float',
    weather: 'string',
    is_estimate: 'boolean',
    is_late: 'boolean',
  },
  rows: [
    visit(1n, 'ACAD', { visits: 2n ** 53n + 1n, share: 0.1, weather: 'sun', is_estimate: true }),
    visit(2n, 'ACAD', { ...FEBRUARY, visits: 0n, share: 0, is_estimate: true, is_late: true }),
    visit(3n, 'ACAD', { ...FEBRUARY, age: 'old', age_name: 'Älter', floor: -1n }),
    visit(4n, 'YELL', { visits: 2n ** 63n - 1n, share: 1e21, weather: 'Föhn 😀' }),
    visit(5n, 'YELL', { visits: -(2n ** 63n), share: -1.5, age: null, is_estimate: null }),
    visit(6n, 'zürich', { visits: 1n, share: 5e-324, floor: 2n }),
    visit(7n, 'zürich', { ...FEBRUARY, visits: 1000n }),
    visit(8n, 'zürich', { first_day: '2024-02-02', last_day: '2024-02-29', visits: 1001n }),
    visit(9n, 'YELL', { first_day: '2024-01-01', last_day: '2024-01-30', visits: 9n }),
    visit(10n, 'hidden', { visits: 10n }),
    visit(11n, 'blank', { visits: 11n }),
    visit(12n, 'nowhere', { visits: 12n }),
    visit(13n, null, { visits: 13n }),
    visit(14n, 'ACAD', { first_day: null, visits: 14n }),
    visit(15n, 'ACAD', { last_day: null, visits: 15n }),
    visit(16n, 'é', { visits: -1n, share: 0.3 }),
  ],
  metrics: [
    defineMetric({
      metricId: 'visits',
      layerId: 'parks',
      featureId: 'park',
      period: { start: { field: 'first_day' }, end: { field: 'last_day' } },
      measures: {
        visits: { kind: 'count', unit: 'People' },
        share: 'number',
        weather: 'category',
        number: 'count',
      },
      dimensions: {
        age: { fields: { value: 'age', displayName: 'age_name' } },
        floor: {},
      },
      defaultFilters: [{ component: 'is_obfuscated', values: ['false'] }],
      flags: [
        { flag: 'late', field: 'is_late' },
        { flag: 'estimate', field: 'is_estimate' },
      ],
    }),
    defineMetric({
      metricId: 'young_visits',
      layerId: 'parks',
      featureId: 'park',
      period: { start: { field: 'first_day' }, end: { day: '2024-12-31' } },
      measures: { number: 'count' },
      dimensions: { age: { defaultValue: 'young' }, floor: {} },
    }),
  ],
  publishedTime: '2024-01-03T12:00:00.000Z',
});

function visit(number: bigint, parkId: string | null, declared: SourceRow): SourceRow {
  return { ...JANUARY, number, park: parkId, age: 'young', floor: 0n, ...declared };
}

const TRIPS = defineTable({
  name: 'conformance.trips',
  fields: { day: 'date', from: 'string', to: 'string', trips: 'integer' },
  key: ['day', 'from', 'to'],
  rows: [
    { day: '2024-03-01', from: 'ACAD', to: '23', trips: 1n },
    { day: '2024-03-01', from: 'ACAD', to: '56', trips: 2n },
    { day: '2024-03-01', from: 'hidden', to: '23', trips: 3n },
    { day: '2024-03-01', from: 'é', to: '007', trips: 4n },
    { day: '2024-03-02', from: 'ACAD', to: 'ACAD', trips: 5n },
    { day: '2024-03-02', from: 'ACAD', to: '23', trips: 6n },
    { day: '2024-03-02', from: 'ACAD', to: 'hidden', trips: 7n },
    { day: '2024-03-02', from: 'nowhere', to: '23', trips: 8n },
    // The park was closed a month earlier.
    { day: '2024-03-02', from: 'zürich', to: '23', trips: 9n },
    { day: '2024-03-02', from: 'é', to: 'zürich', trips: 10n },
  ],
  metrics: [
    defineMetric({
      metricId: 'trips_to_states',
      layerId: 'parks',
      featureId: 'from',
      related: { layerId: 'states', featureId: 'to', relationType: 'trip' },
      measures: { trips: 'count' },
    }),
    defineMetric({
      metricId: 'trips_to_parks',
      layerId: 'parks',
      featureId: 'from',
      related: { layerId: 'parks', featureId: 'to', relationType: 'trip' },
      measures: { trips: 'count' },
    }),
  ],
  publishedTime: '2024-01-04T12:00:00.000Z',
});

export const PARK_TABLES = [VISITS, PARKS, STATES, TRIPS] as const;
