import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { Predicate } from '../domain/predicate.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { nameHint } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import {
  TILE_CELLS,
  TILE_ZOOM_MAX,
  type TileAddress,
  type TileGrid,
  tileGrid,
} from '../geometry/tile.ts';
import type { AggregateSelection, ReadTileRequest } from '../requests/catalog-request.ts';
import { checkAdditivity } from './check-additivity.ts';
import { checkOneArea } from './check-one-area.ts';
import { planCircle } from './plan-circle.ts';
import { expectField } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planExisted } from './plan-options.ts';
import { planPolygon } from './plan-polygon.ts';
import { TILE_FUNCTIONS, type TileAggregate, type TilePlan } from './read-plan.ts';
import { roleField } from './role-fields.ts';

/** More records of a tile are returned as cells. */
export const TILE_POINTS_MAX = 2000;

/** The same for a map that asks for points. */
const ASKED_POINTS_MAX = 10_000;

/** More aggregates of one tile would take seconds. */
const AGGREGATES_MAX = 10;

/**
 * The plan of a tile. Refuses a dataset without points, a tile that does not exist, and fields and filters that the
 * schema of the version does not allow.
 */
export function planTile(request: ReadTileRequest, version: DatasetVersion): TilePlan {
  const { dataset } = version;
  const { point } = dataset;
  if (point === undefined) throw withoutPoint(dataset);
  checkTile(request.tile);
  const pointers = { polygon: '/polygon', circle: '/circle' };
  checkOneArea({ polygon: request.polygon, circle: request.circle }, pointers);
  const grid = tileGrid(request.tile);
  const latitude = roleField(dataset, point.latitude);
  const longitude = roleField(dataset, point.longitude);
  const predicates = [
    ...inTile(grid, latitude, longitude),
    ...(request.polygon === undefined ? [] : planPolygon(request.polygon, dataset, '/polygon')),
    ...(request.circle === undefined ? [] : planCircle(request.circle, dataset, '/circle')),
    ...planFilters(request.filters, dataset, request.filterLogic),
    // As in a request for records that names no option.
    ...planExisted(dataset),
  ];
  const fields = planTileFields(request.fields, dataset);
  const aggregates = planAggregates(request.aggregates, dataset);
  checkSums(aggregates, predicates, version);
  return {
    kind: 'tile',
    version,
    predicates,
    latitude,
    longitude,
    grid,
    fields,
    aggregates,
    limit: pointsMax(request),
  };
}

/** A cell adds up its records as a group does that is grouped by nothing. Its count is one of records, totals included. */
function checkSums(
  aggregates: readonly TileAggregate[],
  predicates: readonly Predicate[],
  version: DatasetVersion,
): void {
  checkAdditivity({
    version,
    groups: [],
    aggregates: aggregates.map(({ function: of, field }, index) => ({
      name: field.name,
      aggregation: of === 'sum' ? 'SUM' : 'AVG',
      field,
      quantile: 0,
      pointer: `/aggregate/${index}`,
    })),
    isCounted: false,
    predicates,
    areCells: true,
  });
}

function pointsMax({ cells }: ReadTileRequest): number {
  if (cells === undefined) return TILE_POINTS_MAX;
  return cells ? 0 : ASKED_POINTS_MAX;
}

function withoutPoint({ name }: Dataset): ServiceError {
  return ServiceError.atPointer(
    'UNAVAILABLE_OPTION',
    '/dataReferenceName',
    `The records of ${name} have no point, so there are no tiles of them.`,
    'Ask for tiles of a dataset whose option boundingBox is available; getDataReference lists the options.',
  );
}

/** Refuses a tile that does not exist. */
export function checkTile({ z, x, y }: TileAddress): void {
  if (!Number.isInteger(z) || z < 0 || z > TILE_ZOOM_MAX) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/z',
      `The zoom ${z} is not a whole number from 0 to ${TILE_ZOOM_MAX}.`,
      `A map draws the tiles of zoom ${TILE_ZOOM_MAX} for deeper zooms if its source says maxzoom ${TILE_ZOOM_MAX}.`,
    );
  }
  for (const [name, place] of Object.entries({ x, y })) {
    if (Number.isInteger(place) && place >= 0 && place < 2 ** z) continue;
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      `/${name}`,
      `There is no tile with ${name} ${place} at zoom ${z}.`,
      `At zoom ${z}, ${name} is a whole number from 0 to ${2 ** z - 1}; x counts from the west, y from the north.`,
    );
  }
}

/** A record on an edge between two tiles belongs to the one in the south or in the east of it. */
function inTile(grid: TileGrid, latitude: Field, longitude: Field): readonly Predicate[] {
  const { west, east, hasEast, hasSouth } = grid;
  const north = grid.edges[0] ?? 0;
  const south = grid.edges[TILE_CELLS] ?? 0;
  return [
    {
      kind: 'box',
      latitude,
      longitude,
      box: { minLng: west, minLat: south, maxLng: east, maxLat: north },
    },
    ...(hasEast
      ? []
      : [{ kind: 'compare', field: longitude, operator: '<', value: east } as const]),
    ...(hasSouth
      ? []
      : [{ kind: 'compare', field: latitude, operator: '>', value: south } as const]),
  ];
}

/** The key and the asked fields, in the order of the field definitions. A key that the caller may not see is left out. */
function planTileFields(names: readonly string[], dataset: Dataset): readonly Field[] {
  const asked = new Set(dataset.key);
  for (const [index, name] of names.entries()) {
    asked.add(expectField(name, dataset, `/fields/${index}`).name);
  }
  return dataset.fields.filter(({ name }) => asked.has(name));
}

function planAggregates(
  selections: readonly AggregateSelection[],
  dataset: Dataset,
): readonly TileAggregate[] {
  if (selections.length > AGGREGATES_MAX) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/aggregate',
      `The request has ${selections.length} aggregates.`,
      `Ask for at most ${AGGREGATES_MAX} in one tile.`,
    );
  }
  const planned = selections.map((selection, index) =>
    planAggregate(selection, dataset, `/aggregate/${index}`),
  );
  for (const [index, { function: of, field }] of planned.entries()) {
    const first = planned.findIndex((one) => one.function === of && one.field === field);
    if (first === index) continue;
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      `/aggregate/${index}`,
      `The aggregate ${of}:${field.name} appears twice.`,
      'Name each aggregate once.',
    );
  }
  return planned;
}

function planAggregate(
  { function: name, fieldName }: AggregateSelection,
  dataset: Dataset,
  pointer: string,
): TileAggregate {
  const known = TILE_FUNCTIONS.find((one) => one === name);
  if (known === undefined) {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      pointer,
      name === ''
        ? 'The function of an aggregate is missing.'
        : `Unknown function '${name.slice(0, 200)}' of an aggregate.`,
      `${nameHint(name, TILE_FUNCTIONS)} An aggregate is written as sum:population.`,
    );
  }
  if (fieldName === '') {
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      pointer,
      `The aggregate '${known}' names no field.`,
      `Write the function and a field of numbers with a colon between them: ${known}:population.`,
    );
  }
  const field = expectField(fieldName, dataset, pointer);
  if (field.type !== 'integer' && field.type !== 'float') {
    throw ServiceError.atPointer(
      'INVALID_FIELD',
      pointer,
      `The field '${field.name}' is of type ${field.type}, so it has no ${known}.`,
      'Name a field of numbers; getDataReference lists the types.',
    );
  }
  return { function: known, field };
}
