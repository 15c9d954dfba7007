import { askOnce, fetchOnce } from '../ask-once.ts';
import type { Target } from '../driver/load-order.ts';
import type { FloorAnswer } from '../systems/start-floor.ts';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';

/** Headers that every server of Node sends by itself, or that follow from the body. */
const SENT_ANYWAY = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** The answer of a target, for a floor that sends the same bytes. */
export async function readFloorAnswer(
  target: Target,
  request: HttpRequest | GrpcRequest,
): Promise<FloorAnswer> {
  if (request.protocol === 'grpc') {
    const { body } = await askOnce(target, request);
    if (!(body instanceof Uint8Array)) throw new Error('The answer is no message.');
    return { protocol: 'grpc', call: request.call, bytes: body.length };
  }
  const { method, path } = request;
  const response = await fetchOnce(target, request);
  const { length } = await response.bytes();
  if (response.status !== (request.status ?? 200)) {
    throw new Error(`${method} ${path} was answered ${response.status}.`);
  }
  const sent = [...response.headers].filter(([name]) => !SENT_ANYWAY.includes(name));
  return {
    protocol: 'http',
    status: response.status,
    headers: Object.fromEntries(sent),
    bytes: length,
  };
}
