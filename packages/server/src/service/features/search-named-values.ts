import type { AddressComponentValue } from '@locmetrics/core/domain/feature';
import { findAddressComponent } from '@locmetrics/core/domain/layer';
import type { DimensionValue } from '@locmetrics/core/domain/metric-value';
import { unknownName } from '@locmetrics/core/errors/unknown-name';
import { withDefaults } from '@locmetrics/core/plan/plan-metric-values';
import {
  type ComponentSource,
  type DimensionSource,
  planComponentValues,
  planDimensionValues,
  writeNamedValuePosition,
} from '@locmetrics/core/plan/plan-named-values';
import type { NamedValuesPlan } from '@locmetrics/core/plan/read-plan';
import type {
  SearchAddressComponentValuesRequest,
  SearchDimensionValuesRequest,
} from '@locmetrics/core/requests/metric-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine, NamedValue } from '@locmetrics/core/storage/engine';
import type { CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import { inSpan } from '../../observe/request-scope.ts';
import type { MetricExtents } from '../extents.ts';
import { catalogVersion, layersOf, metricsOf } from '../find-in-catalog.ts';
import { findPinned } from '../find-version.ts';
import {
  finishPage,
  knownTotal,
  type PageEnd,
  type PageStart,
  startPage,
  takeSlot,
} from '../page-steps.ts';
import type { Call, ServiceContext } from '../service-context.ts';

export type SearchAddressComponentValuesResult = PageEnd & {
  readonly values: readonly AddressComponentValue[];
};

/** A page of the values of an address component, with their names. */
export async function searchAddressComponentValues(
  context: ServiceContext,
  request: SearchAddressComponentValuesRequest,
  call: Call,
): Promise<SearchAddressComponentValuesResult> {
  const { engine, catalogFor } = context;
  const { catalogId, component, query, valueIds, freeFormTarget } = request;
  const name = 'searchAddressComponentValues';
  const parts = () => [name, catalogId, component, query, valueIds, freeFormTarget];
  const start = startPage(context, call, { ...request, billingContext: '', parts });
  const { sources, version } = findPinned(catalogFor(call.caller), start.token, (snapshot) =>
    findComponent(snapshot, request),
  );
  const slot = await takeSlot(context, call, start);
  try {
    const { signal } = slot;
    const plan = inSpan('plan', () => planComponentValues(request, sources, start.token));
    const found = await readNamedValues(engine, plan, { start, version }, signal);
    return {
      ...found,
      values: found.values.map(({ value, shortName, displayName }) => ({
        component,
        value,
        shortName: shortName ?? '',
        displayName: displayName ?? '',
      })),
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

export type SearchDimensionValuesResult = PageEnd & { readonly values: readonly DimensionValue[] };

/** A page of the values of a dimension, with their names. */
export async function searchDimensionValues(
  context: ServiceContext,
  request: SearchDimensionValuesRequest,
  call: Call,
): Promise<SearchDimensionValuesResult> {
  const { engine, extents, catalogFor } = context;
  const { catalogId, dimensionId, query } = request;
  const parts = () => ['searchDimensionValues', catalogId, dimensionId, query];
  const start = startPage(context, call, { ...request, billingContext: '', parts });
  const { sources, version } = findPinned(catalogFor(call.caller), start.token, (snapshot) =>
    findDimension(snapshot, request),
  );
  const slot = await takeSlot(context, call, start);
  try {
    const { signal } = slot;
    const left = await Promise.all(
      sources.map((source) => withoutExcluded(extents, source, signal)),
    );
    const plan = inSpan('plan', () => planDimensionValues(request, left, start.token));
    const found = await readNamedValues(engine, plan, { start, version }, signal);
    return {
      ...found,
      // Clients show only the name, so a value without a name is used as its own name.
      values: found.values.map(({ value, displayName }) => ({
        dimensionId,
        value,
        displayName: displayName ?? value,
      })),
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

async function readNamedValues(
  engine: Engine,
  plan: NamedValuesPlan,
  page: { readonly start: PageStart; readonly version: string },
  signal: StopSignal,
): Promise<PageEnd & { readonly values: readonly NamedValue[] }> {
  const found = await engine.run(plan, signal);
  const { values } = found;
  const { kind, after, limit, ...selection } = plan;
  const totalSize =
    knownTotal(page.start, found, values.length) ??
    (await engine.run({ kind: 'named_values_count', ...selection }, signal));
  const end = finishPage(page.start, {
    version: page.version,
    found,
    rowCount: values.length,
    totalSize,
    writePosition: writeNamedValuePosition,
    searchRule: plan.query?.rule,
  });
  return { ...end, values };
}

/** A source without the records that the default filters of its metric exclude. */
async function withoutExcluded(
  extents: MetricExtents,
  { metric, dimension }: DimensionSource,
  signal: StopSignal,
): Promise<DimensionSource> {
  const left = withDefaults(metric);
  // The default filters usually exclude nothing; the cached extent of the version says so.
  const isWhole = left === metric || (await extents.read(metric, signal)).isWhole;
  return { metric: isWhole ? metric : left, dimension };
}

/** The layers of a catalog that have a component, with the version of the catalog. */
function findComponent(
  snapshot: CatalogSnapshot,
  { catalogId, component: name }: SearchAddressComponentValuesRequest,
) {
  const layers = layersOf(snapshot, catalogId);
  const sources = layers.flatMap((layer): readonly ComponentSource[] => {
    const component = findAddressComponent(layer.layer, name);
    return component === undefined ? [] : [{ layer, component }];
  });
  if (sources.length > 0) return { sources, version: catalogVersion(snapshot, catalogId) };
  const known = layers.flatMap(({ layer }) => layer.addressComponents);
  throw unknownName('UNKNOWN_COMPONENT', '/component', {
    noun: 'component',
    owner: `the catalog '${catalogId}'`,
    name,
    known: [...new Set(known.map(({ component }) => component))],
  });
}

/** The metrics of a catalog that have a dimension, with the version of the catalog. */
function findDimension(
  snapshot: CatalogSnapshot,
  { catalogId, dimensionId: name }: SearchDimensionValuesRequest,
) {
  const metrics = metricsOf(snapshot, catalogId);
  const sources = metrics.flatMap((metric): readonly DimensionSource[] => {
    const dimension = metric.metric.dimensions.find(({ dimensionId }) => dimensionId === name);
    return dimension === undefined ? [] : [{ metric, dimension }];
  });
  if (sources.length > 0) return { sources, version: catalogVersion(snapshot, catalogId) };
  const known = metrics.flatMap(({ metric }) => metric.dimensions);
  throw unknownName('UNKNOWN_DIMENSION', '/dimensionId', {
    noun: 'dimension',
    owner: `the catalog '${catalogId}'`,
    name,
    known: [...new Set(known.map(({ dimensionId }) => dimensionId))],
  });
}
