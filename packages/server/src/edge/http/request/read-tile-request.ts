import type { LayerTileQuery, TileQuery } from '@locmetrics/contract';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { TileAddress } from '@locmetrics/core/geometry/tile';
import type {
  AggregateSelection,
  ReadTileRequest,
} from '@locmetrics/core/requests/catalog-request';
import type {
  GetLayerRequest,
  ReadLayerTileRequest,
} from '@locmetrics/core/requests/metric-request';
import { readCircleParameter } from './read-circle.ts';
import { readFiltersParameter, readNamesParameter } from './read-filters-parameter.ts';
import { readDimensionPairs, readPeriod } from './read-metric-request.ts';
import { readPolygonParameter } from './read-polygon.ts';
import type { RequestState } from './request-state.ts';

/** The parts of the address of a tile, as written. */
export type TilePath = TilePlace & { readonly dataReferenceName: string };
type TilePlace = { readonly z: string; readonly x: string; readonly y: string };

/** Parses a request for a tile. */
export function readTileRequest(
  query: TileQuery,
  path: TilePath,
  state: Pick<RequestState, 'writtenPointers'>,
): ReadTileRequest {
  return { ...readTilesRequest(query, path, state), tile: readTileAddress(path) };
}

/** Parses a request for the description of all tiles, which are those of the tile of the earth. */
export function readTilesRequest(
  query: TileQuery,
  { dataReferenceName }: Pick<TilePath, 'dataReferenceName'>,
  state: Pick<RequestState, 'writtenPointers'>,
): ReadTileRequest {
  const { filters = '', filterLogic = '', fields = '', aggregate = [] } = query;
  const { cells, billingContext = '', asOf = '' } = query;
  const polygon = readPolygonParameter(query.polygon ?? '');
  const circle = readCircleParameter(query.circle, '/circle', state);
  return {
    dataReferenceName,
    tile: { z: 0, x: 0, y: 0 },
    filters: readFiltersParameter(filters),
    filterLogic,
    fields: readNamesParameter(fields),
    aggregates: aggregate.map(readAggregate),
    cells,
    ...(polygon === undefined ? {} : { polygon }),
    ...(circle === undefined ? {} : { circle }),
    billingContext,
    asOf,
  };
}

/** Parses a request for a tile of a layer. */
export function readLayerTileRequest(
  query: LayerTileQuery,
  path: GetLayerRequest & TilePlace,
): ReadLayerTileRequest {
  return { ...readLayerTilesRequest(query, path), tile: readTileAddress(path) };
}

/** Parses a request for the description of all tiles of a layer. */
export function readLayerTilesRequest(
  query: LayerTileQuery,
  { catalogId, layerId }: GetLayerRequest,
): ReadLayerTileRequest {
  const { metric: metricId = '', period = '', billingContext = '' } = query;
  return {
    catalogId,
    layerId,
    tile: { z: 0, x: 0, y: 0 },
    billingContext,
    metricId,
    period:
      period === '' || period.includes('/') ? readPeriod(period, 'period') : { start: period },
    dimensionFilter: readDimensionPairs(query.dimensionFilter),
  };
}

function readTileAddress({ z, x, y }: TilePlace): TileAddress {
  return { z: readPlace('z', z), x: readPlace('x', x), y: readPlace('y', y) };
}

function readPlace(name: string, written: string): number {
  if (WHOLE_NUMBER.test(written)) return Number(written);
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    `/${name}`,
    `'${written.slice(0, 100)}' is not the ${name} of a tile.`,
    'Write the zoom, the column and the row of the tile as whole numbers: tiles/{z}/{x}/{y}.mvt.',
  );
}

const WHOLE_NUMBER = /^[0-9]{1,15}$/;

/** `sum:population`. */
function readAggregate(written: string): AggregateSelection {
  const colon = written.indexOf(':');
  return colon < 0
    ? { function: written.trim(), fieldName: '' }
    : { function: written.slice(0, colon).trim(), fieldName: written.slice(colon + 1).trim() };
}
