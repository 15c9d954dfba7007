import type { Caller } from '@locmetrics/core/domain/caller';
import { type Grant, WHOLE_LENS, wholeGrant } from '@locmetrics/core/domain/grant';
import { createRights } from '@locmetrics/core/domain/rights';
import fc from 'fast-check';
import { createCaller } from '../../support/test-caller.ts';
import { few } from '../few.ts';
import { where } from '../filter-clause.ts';
import type { Table } from '../table.ts';
import {
  componentFilter,
  dimensionFilter,
  relatedComponentFilter,
  span,
} from './random-metric-question.ts';
import { randomFilter } from './random-question.ts';
import { FIELDS } from './random-table.ts';
import { IDS, type World } from './random-world.ts';

/** The parts of a metric that may be hidden: all except its main value. */
const HIDEABLE = [
  ...['share', 'kind', 'number', 'estimate', 'age', 'band'],
  ...['note', 'county', 'is_hidden', 'grade', 'ratio', 'since', 'zone'],
];

/** Grants of the table of `random-table.ts`. */
export const randomTableGrant = fc
  .record({
    filters: few(randomFilter, 1),
    fields: fc.option(fc.subarray(Object.keys(FIELDS), { minLength: 6 })),
    showsSmallCells: fc.constantFrom(false, false, true),
  })
  .map(
    ({ filters, fields, showsSmallCells }): Grant => ({
      ...wholeGrant('some', 'conformance.*'),
      filters,
      fields: fields ?? undefined,
      showsSmallCells,
    }),
  );

/** A caller who sees everything. The grant decides on default filters, which hides nothing. */
export function anybody({ liftsDefaultFilters }: Grant): Caller {
  const everything = wholeGrant('everything', '*');
  return callerWith([{ ...everything, showsSmallCells: true, liftsDefaultFilters }]);
}

/** Grants of one of the metrics of a random world: see `toGrant`. */
export const randomMetricGrant = fc.record({
  metricId: fc.constantFrom('visits', 'visits', 'size'),
  addressComponents: few(componentFilter),
  features: few(fc.constantFrom(...IDS, 'nowhere'), 6),
  relatedAddressComponents: few(relatedComponentFilter),
  relatedFeatures: few(fc.constantFrom(...IDS, 'nowhere'), 6),
  dimensions: few(dimensionFilter),
  period: fc.oneof({ arbitrary: fc.constant({}), weight: 2 }, { arbitrary: span, weight: 1 }),
  filters: few(
    fc.constantFrom(
      where('number', '>=', 12),
      where('number', '<', 30),
      where('kind', 'is_not_empty'),
      where('visits', '>', 0),
      where('visits', 'is_empty'),
      where('is_estimate', '!=', true),
    ),
  ),
  hidden: fc.oneof(fc.constant([]), fc.subarray(HIDEABLE)),
  showsSmallCells: fc.constantFrom(false, false, true),
  liftsDefaultFilters: fc.boolean(),
});

/** A grant that fits the world: it lists dimensions and related features only if there are any. */
export function toGrant(world: World, drawn: Drawn): Grant {
  const { metricId, filters, hidden, showsSmallCells, liftsDefaultFilters, ...lens } = drawn;
  const table = metricId === 'visits' ? world.visits : world.places;
  const metric = table.version.metrics[0];
  const related = metric?.related?.layerId;
  const known: readonly string[] = metric?.dimensions.map(({ dimensionId }) => dimensionId) ?? [];
  const isHidden: ReadonlySet<string> = new Set(hidden);
  // One table cannot be hidden differently as the layer and as the related layer.
  const isTwice = related === 'places';
  return {
    ...wholeGrant('some', `conformance/${metricId}`),
    filters: metricId === 'visits' && !isTwice ? filters : [],
    lens: {
      ...WHOLE_LENS,
      ...(isTwice ? {} : { addressComponents: lens.addressComponents, features: lens.features }),
      ...(related === 'areas'
        ? {
            relatedAddressComponents: lens.relatedAddressComponents,
            relatedFeatures: lens.relatedFeatures,
          }
        : {}),
      // The values of `size` are its features, which a period does not hide.
      ...(metricId === 'visits'
        ? {
            dimensions: lens.dimensions.filter(({ dimensionId }) => known.includes(dimensionId)),
            period: lens.period,
          }
        : {}),
    },
    fields:
      hidden.length === 0 || isTwice || metricId === 'size'
        ? undefined
        : namesOf(world).filter((name) => !isHidden.has(name)),
    showsSmallCells,
    liftsDefaultFilters,
  };
}

/** All names that a grant of `visits` may contain, the main value first. */
function namesOf({ visits, places, areas }: World): readonly string[] {
  const [metric] = visits.version.metrics;
  const layers = [...places.version.layers, ...areas.version.layers].filter(
    ({ id }) => id === metric?.layerId || id === metric?.related?.layerId,
  );
  return [
    ...(metric?.measures ?? []).map(({ name }) => name),
    ...(metric?.flags ?? []).map(({ flag }) => flag),
    ...(metric?.dimensions ?? []).map(({ dimensionId }) => dimensionId),
    ...layers.flatMap((layer) => layer.addressComponents.map(({ component }) => component)),
  ];
}

type Drawn = typeof randomMetricGrant extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether the small values of a field are withheld, and whether answers mark them. */
type Suppression = { readonly below: number; readonly mark: boolean };
type Suppressions = Readonly<Record<string, Suppression | null>>;

export const suppress: fc.Arbitrary<Suppression | null> = fc.option(
  fc.record({
    below: fc.constantFrom(-1, 0, 0.2, 5, 2 ** 53),
    mark: fc.constantFrom(true, true, false),
  }),
);

export function withSuppression(table: Table, suppressed: Suppressions): Table {
  const { dataset } = table.version;
  const fields = dataset.fields.map((field) => {
    const declared = suppressed[field.name] ?? null;
    if (declared === null) return field;
    const mark = declared.mark ? { marksWithheld: true as const } : {};
    return { ...field, suppressBelow: declared.below, ...mark };
  });
  return { ...table, version: { ...table.version, dataset: { ...dataset, fields } } };
}

/**
 * An earlier version of the table, with these small values. To callers, the stricter threshold of both versions applies, and
 * a value has a mark only if each of the thresholds has marks: `meant` declares so in the earlier version itself.
 */
export function earlierVersion(table: Table, suppressed: Suppressions, now: Suppressions) {
  const publishedTime = '2023-12-30T00:00:00.000Z';
  const version = `${publishedTime.replaceAll(/[-:.]/g, '')}-0123456789ab`;
  const before = { ...table, version: { ...table.version, version, publishedTime } };
  const stricter = Object.keys({ ...suppressed, ...now }).map((name) => {
    const declared = [suppressed[name] ?? null, now[name] ?? null].filter((one) => one !== null);
    const below = Math.max(...declared.map((one) => one.below));
    return [
      name,
      declared.length === 0 ? null : { below, mark: declared.every(({ mark }) => mark) },
    ];
  });
  return {
    earlier: withSuppression(before, suppressed),
    meant: withSuppression(before, Object.fromEntries(stricter)),
  };
}

export function callerWith(grants: readonly Grant[]): Caller {
  const organisationId = 'organisation';
  const rights = createRights({ organisationId, grants });
  return { ...createCaller({ organisationId, tokenId: 'token' }), rights };
}
