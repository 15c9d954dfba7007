import type { FastifyRequest } from 'fastify';
import { stateOf } from '../request/request-state.ts';

/**
 * The address of tiles at the host of the request, because a map does not resolve a relative one; with the parameters of
 * the request.
 */
export function addressOfTiles(
  request: FastifyRequest,
  /** The path before `/tiles`, encoded. */
  path: string,
): string {
  const { protocol, host, url } = request;
  const question = url.indexOf('?');
  // Encoded again, because a brace in a value must not read as a place of the tile.
  const query = question < 0 ? '' : new URLSearchParams(url.slice(question + 1)).toString();
  const { pathPrefix } = stateOf(request);
  const address = `${protocol}://${host}${pathPrefix}${path}/tiles/{z}/{x}/{y}.mvt`;
  return `${address}${query === '' ? '' : `?${query}`}`;
}
