import { ConnectionError, type FilterClause, ServiceError } from '@locmetrics/client';
import { SERVICE_URL, type Session } from '../session/session.ts';
import { type Colour, colourField, measureOf } from './map-address.ts';

/** The tiles of a dataset. */
export type Tiles = {
  /** With `{z}`, `{x}` and `{y}`. It has no token: that is in a header. */
  readonly address: string;
  /** Up to this zoom all tiles have cells; beyond it, all have points. Absent: all have points. */
  readonly cellsUntilZoom: number | undefined;
};

/** The address of the tiles of a dataset. */
export function tilesAddress({
  dataset,
  filters = [],
  fields,
  colour,
  session: { caller },
}: {
  readonly dataset: string;
  readonly filters?: readonly FilterClause[] | undefined;
  /** The fields of a point besides its key. */
  readonly fields: readonly string[];
  readonly colour: Colour | undefined;
  readonly session: Pick<Session, 'caller'>;
}): string {
  const query = new URLSearchParams({ billingContext: caller.organisationId });
  if (filters.length > 0) query.set('filters', JSON.stringify(filters));
  const asked = new Set(colour === undefined ? fields : [...fields, colourField(colour)]);
  if (asked.size > 0) query.set('fields', [...asked].join(','));
  const measure = measureOf(colour);
  if (measure !== undefined) query.set('aggregate', measure);
  return `${SERVICE_URL}/v3/catalog/${encodeURIComponent(dataset)}/tiles/{z}/{x}/{y}.mvt?${query}`;
}

/** The address of a tile, which is of a zoom. */
export function tileAddress(address: string, zoom: number, { cellsUntilZoom = -1 }: Tiles): string {
  return `${address}&cells=${zoom <= cellsUntilZoom}`;
}

/** Reads a tile; empty if there are no records in it. Throws the errors of the client. */
export async function fetchTile(
  address: string,
  { token, looking }: Pick<Session, 'token' | 'looking'>,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  let response: Response;
  try {
    const headers = { authorization: `Bearer ${token}` };
    response = await looking.fetch(address, { headers, signal });
    if (response.ok) return await response.arrayBuffer();
  } catch (cause) {
    signal.throwIfAborted();
    throw new ConnectionError('A tile of the map got no answer.', { cause });
  }
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  throw new ServiceError(
    await response.json(),
    Number.isFinite(seconds) ? seconds * 1000 : undefined,
  );
}

/** The address of the outlines of the features of a layer. */
export function layerTilesAddress({
  catalogId,
  layerId,
  session: { caller },
}: {
  readonly catalogId: string;
  readonly layerId: string;
  readonly session: Pick<Session, 'caller'>;
}): string {
  const query = new URLSearchParams({ billingContext: caller.organisationId });
  const layer = `${encodeURIComponent(catalogId)}/layers/${encodeURIComponent(layerId)}`;
  return `${SERVICE_URL}/v1/catalogs/${layer}/tiles/{z}/{x}/{y}.mvt?${query}`;
}
