import { type TileFilters, TileFiltersSchema, type TileQuery } from '@locmetrics/contract';
import type { AggregateSelection, ReadTileRequest } from '@locmetrics/core/domain/catalog-request';
import type { TileAddress } from '@locmetrics/core/domain/tile';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Ajv } from 'ajv';
import { BODY_VALIDATION } from './read-bodies.ts';
import { readJsonBody } from './read-json-body.ts';
import { readSpelling } from './read-spelling.ts';
import { toInvalidRequest } from './validation-error.ts';

/** The parts of the address of a tile, as written. */
export type TilePath = {
  readonly dataReferenceName: string;
  readonly z: string;
  readonly x: string;
  readonly y: string;
};

/** Parses a request for a tile. */
export function readTileRequest(query: TileQuery, path: TilePath): ReadTileRequest {
  return { ...readTilesRequest(query, path), tile: readTileAddress(path) };
}

/** Parses a request for the description of all tiles, which are those of the tile of the earth. */
export function readTilesRequest(
  query: TileQuery,
  { dataReferenceName }: Pick<TilePath, 'dataReferenceName'>,
): ReadTileRequest {
  const { filters = '', filterLogic = '', fields = '', aggregate = [] } = query;
  const { billingContext = '', asOf = '' } = query;
  return {
    dataReferenceName,
    tile: { z: 0, x: 0, y: 0 },
    filters: filters === '' ? [] : readFilters(filters),
    filterLogic,
    fields: fields === '' ? [] : fields.split(',').map((name) => name.trim()),
    aggregates: aggregate.map(readAggregate),
    billingContext,
    asOf,
  };
}

function readTileAddress({ z, x, y }: TilePath): TileAddress {
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

/** The JSON list of filters, in either spelling. The document knows it as a text, so its shape is refused as a value. */
function readFilters(text: string): ReadTileRequest['filters'] {
  try {
    return parseFilters(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { reason, message, details, hint } = error;
    const isJson = reason !== 'MALFORMED_JSON';
    const said = isJson ? message : `The parameter 'filters' is not JSON: '${text.slice(0, 100)}'.`;
    throw new ServiceError('INVALID_FILTER_VALUE', said, {
      hint: reason === 'UNKNOWN_REQUEST_FIELD' ? hint : WRITTEN_AS,
      details: isJson ? details : [{ pointer: '/filters', detail: said }],
    });
  }
}

const WRITTEN_AS =
  'Write the list as in the body of listRecords, and percent-encode it as part of a URL: [{"fieldName":"region","operator":"==","value":"CA"}].';

function parseFilters(text: string): ReadTileRequest['filters'] {
  // The schemas of the contract are plain JSON Schema objects.
  const schema = TileFiltersSchema as object;
  const { body } = readSpelling({ filters: readJsonBody(Buffer.from(text)) }, schema);
  if (!isTileFilters(body)) throw toInvalidRequest(isTileFilters.errors ?? []);
  return body.filters.map(({ fieldName, operator, value, values }) => ({
    fieldName,
    operator,
    value: value ?? '',
    values: values ?? [],
  }));
}

const isTileFilters = new Ajv(BODY_VALIDATION).compile<TileFilters>(TileFiltersSchema);

/** `sum:population`. */
function readAggregate(written: string): AggregateSelection {
  const colon = written.indexOf(':');
  return colon < 0
    ? { function: written.trim(), fieldName: '' }
    : { function: written.slice(0, colon).trim(), fieldName: written.slice(colon + 1).trim() };
}
