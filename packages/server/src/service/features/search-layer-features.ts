import type { Feature } from '@locmetrics/core/domain/feature';
import { worstFeatureRank } from '@locmetrics/core/domain/feature-rank';
import { placeOfRank } from '@locmetrics/core/domain/search-text';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import { expectComponent } from '@locmetrics/core/plan/plan-feature-filters';
import { planLayerFeatures, searchRuleOfOrder } from '@locmetrics/core/plan/plan-layer-features';
import { writeRecordPosition } from '@locmetrics/core/plan/positions';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { SearchLayerFeaturesRequest } from '@locmetrics/core/requests/metric-request';
import { inSpan } from '../../observe/request-scope.ts';
import { countRecords } from '../count-records.ts';
import { findLayer } from '../find-in-catalog.ts';
import { findPinned } from '../find-version.ts';
import { finishPage, knownTotal, type PageEnd, startPage, takeSlot } from '../page-steps.ts';
import { featureReader } from '../read-features.ts';
import { circleParts, polygonParts } from '../selection-parts.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { addOutlines } from './add-outlines.ts';

export type SearchLayerFeaturesResult = PageEnd & {
  readonly features: readonly Feature[];
  /** How well each feature matches the query, from 0 (not at all) to 1 (equal); empty without a query. */
  readonly queryScores: readonly number[];
};

/** A page of the features of a layer. */
export async function searchLayerFeatures(
  context: ServiceContext,
  request: SearchLayerFeaturesRequest,
  call: Call,
): Promise<SearchLayerFeaturesResult> {
  const { engine, catalogFor } = context;
  const start = startPage(context, call, { ...request, parts: () => requestParts(request) });
  const { token } = start;
  const { layer, version } = findPinned(catalogFor(call.caller), token, (snapshot) => {
    const found = findLayer(snapshot, request);
    return { layer: found, version: found.features.version };
  });
  const slot = await takeSlot(context, call, start);
  try {
    const { signal } = slot;
    const plan = inSpan('plan', () => planLayerFeatures(request, layer, token));
    const components = whitelisted(request, layer);
    const found = await engine.run(plan, signal);
    const { positionAt } = found;
    const totalSize =
      knownTotal(start, found, found.rows.length) ?? (await countRecords(engine, plan, signal));
    const all = found.rows.map(featureReader(layer, plan.fields, components));
    const features = request.skipPolygon ? all : await addOutlines(engine, layer, all, signal);
    const end = finishPage(start, {
      version,
      found: { positionAt, hasMore: found.hasMore || features.length < all.length },
      rowCount: features.length,
      totalSize,
      writePosition: writeRecordPosition,
      searchRule: searchRuleOfOrder(plan.order),
    });
    return {
      ...end,
      features,
      queryScores:
        request.query === '' ? [] : features.map((_, index) => score(plan, positionAt(index))),
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

/** The components to return, in the order of the layer; undefined for all. */
function whitelisted(
  { addressComponentWhitelist: whitelist }: SearchLayerFeaturesRequest,
  { layer }: LayerVersion,
): readonly string[] | undefined {
  if (whitelist.length === 0) return undefined;
  for (const [index, component] of whitelist.entries()) {
    expectComponent(component, layer, `/addressComponentWhitelist/${index}`);
  }
  return layer.addressComponents
    .map(({ component }) => component)
    .filter((component) => whitelist.includes(component));
}

/** The features are ordered by their rank alone, which is the first and only order value. */
function score(
  { order }: RecordsPlan,
  { orderValues: [rank] }: { readonly orderValues: readonly unknown[] },
): number {
  // A query of which nothing is left matches everything.
  if (order.length === 0) return 1;
  const [term] = order;
  const words = term?.kind === 'rank' ? term.rank.words?.words : undefined;
  if (words !== undefined) return 1 - Number(rank) / worstFeatureRank(words);
  // By the first rule, no text is equal as it is.
  const best = placeOfRank('equals_folded');
  return 1 - (Number(rank) - best) / (placeOfRank('none') - best);
}

function requestParts(request: SearchLayerFeaturesRequest): readonly unknown[] {
  const {
    boundingBoxFilter: box,
    polygonFilter,
    circleFilter,
    existedInDateRange: range,
  } = request;
  return [
    'searchLayerFeatures',
    request.catalogId,
    request.layerId,
    request.featureFilter,
    request.addressComponentFilter.map(({ component, values }) => [component, values]),
    box === undefined ? [] : [box.minLng, box.minLat, box.maxLng, box.maxLat],
    request.query,
    [range.start ?? '', range.end ?? ''],
    request.addressComponentWhitelist,
    ...(request.skipPolygon ? ['skipPolygon'] : []),
    ...polygonParts(polygonFilter),
    ...circleParts(circleFilter),
  ];
}
