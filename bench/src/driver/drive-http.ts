import { setTimeout as sleep } from 'node:timers/promises';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import { formatFixedHead, formatRequest } from './format-request.ts';
import { openHttpConnection } from './http-connection.ts';
import type { LoadOrder } from './load-order.ts';
import type { LoadRecorder } from './load-recorder.ts';

/** Keeps as many connections as there are requests in flight, and asks on each without a pause. */
export async function driveHttp(
  order: LoadOrder,
  nextRequest: () => HttpRequest | GrpcRequest,
  recorder: LoadRecorder,
): Promise<void> {
  const fixedHead = formatFixedHead(order.target);
  const nextBytes = (): string => formatRequest(nextRequest(), fixedHead);
  await Promise.all(
    Array.from({ length: order.inFlight }, async () => {
      // A connection that failed is opened again as long as failures are only counted.
      while (!(await askUntilEnd(order, nextBytes, recorder)));
    }),
  );
}

/** A server that takes no connections is not asked for one without a pause. */
const RETRY_MS = 20;

/** Asks on one connection; tells whether the load ended, otherwise the connection did. */
async function askUntilEnd(
  { target, countFailures }: LoadOrder,
  nextBytes: () => string,
  recorder: LoadRecorder,
): Promise<boolean> {
  const ended = Promise.withResolvers<boolean>();
  const onFailure = (reason: string): void => {
    if (countFailures) recorder.failed(reason);
    else ended.reject(new Error(reason));
  };
  const onBroken = (error: Error): void => {
    onFailure(error.message);
    ended.resolve(!recorder.mayAsk());
  };
  const connection = await openHttpConnection(target, onBroken).catch(() => sleep(RETRY_MS));
  if (connection === undefined) return ended.promise;
  const askNext = (): void => {
    if (!recorder.mayAsk()) {
      ended.resolve(true);
      return;
    }
    const bytes = nextBytes();
    const begunMs = performance.now();
    connection.ask(bytes, false, ({ status, bodyBytes, body }) => {
      // PostgREST tells by 206 that there are more rows than the page has.
      if (status === 200 || status === 206) recorder.answered(begunMs, bodyBytes);
      else onFailure(`${bytes.split('\r\n', 1)[0]} was answered ${status}: ${body}`);
      askNext();
    });
  };
  askNext();
  return ended.promise.finally(connection.close);
}
