import { queryWords } from '../domain/feature-rank.ts';
import type { Predicate } from '../domain/predicate.ts';
import { type SearchRule, searchRuleOf } from '../domain/search-text.ts';
import type { LayerVersion } from '../domain/version.ts';
import type { SearchLayerFeaturesRequest } from '../requests/metric-request.ts';
import type { PageToken } from '../requests/page-token.ts';
import { checkOneArea } from './check-one-area.ts';
import { mergeComponents } from './merge-filters.ts';
import { planBox } from './plan-box.ts';
import {
  expectPoint,
  planComponentFilters,
  planFeatureCircle,
  planFeatureIds,
  planFeaturePolygon,
} from './plan-feature-filters.ts';
import { hasExistence } from './plan-layer.ts';
import { checkPeriodFilter } from './plan-metric-filters.ts';
import { checkSearchRule, planPageSize } from './plan-page.ts';
import { planQuery } from './plan-query.ts';
import { readRecordPosition } from './positions.ts';
import type { OrderTerm, RecordsPlan } from './read-plan.ts';
import { existenceFields, featureFields, roleField } from './role-fields.ts';

/** The plan of a page of features, sorted by how well they match the query, then by id. */
export function planLayerFeatures(
  request: SearchLayerFeaturesRequest,
  version: LayerVersion,
  token: PageToken | undefined,
): RecordsPlan {
  const order = planRank(request.query, version);
  checkSearchRule(token, searchRuleOfOrder(order));
  return {
    kind: 'records',
    version: version.features,
    fields: featureFields(version),
    predicates: [
      ...planFeatureIds(request.featureFilter, version, '/featureFilter'),
      ...planComponentFilters(
        mergeComponents(request.addressComponentFilter),
        version,
        '/addressComponentFilter',
      ),
      ...planBoundingBox(request, version),
      ...planArea(request, version),
      ...planExistedInDateRange(request, version),
    ],
    order,
    keyDescending: false,
    after: token && readRecordPosition(token.position, order),
    limit: planPageSize(request.pageSize),
  };
}

function planRank(query: string, { layer, features }: LayerVersion): readonly OrderTerm[] {
  const search = planQuery(query, searchRuleOf([features.dataset]), '/query');
  if (search === undefined) return [];
  const fieldsOf = (names: readonly string[]) => [
    ...new Set(names.map((name) => roleField(features.dataset, name))),
  ];
  const named = [layer.name, layer.featureId];
  const fields = fieldsOf(named);
  if (search.rule === 1) return [{ kind: 'rank', rank: { fields, query: search } }];
  const ofComponents = layer.addressComponents.flatMap(({ fields: { displayName, shortName } }) =>
    [displayName, shortName].filter((name) => name !== undefined),
  );
  const words = { fields: fieldsOf([...named, ...ofComponents]), words: queryWords(search) };
  return [{ kind: 'rank', rank: { fields, query: search, words } }];
}

/** The rule by which an order ranks; undefined if it ranks nothing. */
export function searchRuleOfOrder([term]: readonly OrderTerm[]): SearchRule | undefined {
  return term?.kind === 'rank' ? term.rank.query.rule : undefined;
}

function planBoundingBox(
  { boundingBoxFilter: box }: SearchLayerFeaturesRequest,
  version: LayerVersion,
): readonly Predicate[] {
  if (box === undefined) return [];
  const pointer = '/boundingBoxFilter';
  return [
    planBox(box, expectPoint(version, pointer, 'box'), version.features.dataset, {
      minLng: `${pointer}/west`,
      minLat: `${pointer}/south`,
      maxLng: `${pointer}/east`,
      maxLat: `${pointer}/north`,
    }),
  ];
}

function planArea(
  { boundingBoxFilter, polygonFilter, circleFilter }: SearchLayerFeaturesRequest,
  version: LayerVersion,
): readonly Predicate[] {
  const pointers = { polygon: '/polygonFilter', circle: '/circleFilter' };
  checkOneArea(
    { boundingBox: boundingBoxFilter, polygon: polygonFilter, circle: circleFilter },
    pointers,
  );
  return [
    ...planFeaturePolygon(polygonFilter, version, pointers.polygon),
    ...planFeatureCircle(circleFilter, version, pointers.circle),
  ];
}

function planExistedInDateRange(
  { existedInDateRange: range }: SearchLayerFeaturesRequest,
  { layer, features }: LayerVersion,
): readonly Predicate[] {
  checkPeriodFilter(range, '/existedInDateRange', { start: 'startDate', end: 'endDate' });
  const { start, end } = range;
  if (!hasExistence(layer) || (start === undefined && end === undefined)) return [];
  return [
    {
      kind: 'existed',
      overlap: {
        periodStart: start ?? FIRST_DAY,
        periodEnd: end ?? LAST_DAY,
        ...existenceFields(features.dataset, layer.existence ?? {}),
      },
    },
  ];
}

/** The first and last possible day; they replace the open sides of a period. */
const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';
