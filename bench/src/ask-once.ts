import { openGrpcClient } from './driver/grpc-client.ts';
import type { Target } from './driver/load-order.ts';
import type { Answer, GrpcRequest, HttpRequest } from './workloads/workload.ts';

/** Sends one request. Over HTTP it uses Node's client, not the client of the measurement. */
export async function askOnce(target: Target, request: HttpRequest | GrpcRequest): Promise<Answer> {
  if (request.protocol === 'grpc') {
    const client = openGrpcClient(target);
    const body = await client.ask(request).finally(() => client.close());
    return { body, contentRange: null, contentEncoding: null };
  }
  const response = await fetchOnce(target, request);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isTile = response.headers.get('content-type')?.startsWith(TILE_TYPE) ?? false;
  const text = isTile ? '' : bytes.toString();
  if (!response.ok) {
    throw new Error(
      `${request.method} ${request.path} was answered ${response.status}: ${text.slice(0, 500)}`,
    );
  }
  return {
    body: isTile ? bytes : JSON.parse(text),
    contentRange: response.headers.get('content-range'),
    contentEncoding: response.headers.get('content-encoding'),
  };
}

const TILE_TYPE = 'application/vnd.mapbox-vector-tile';

/** The response to one request over HTTP. It is not compressed, unless the request asks for that. */
export function fetchOnce(
  { host, port, headers }: Target,
  { method, path, headers: own, body }: HttpRequest,
): Promise<Response> {
  return fetch(`http://${host}:${port}${path}`, {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...own,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
}
