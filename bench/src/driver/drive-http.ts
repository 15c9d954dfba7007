import { setTimeout as sleep } from 'node:timers/promises';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import { formatFixedHead, formatRequest } from './format-request.ts';
import { openHttpConnection } from './http-connection.ts';
import type { LoadOrder } from './load-order.ts';
import type { LoadRecorder } from './load-recorder.ts';

/** Keeps one connection for each request in flight, and sends requests on each without a pause. */
export async function driveHttp(
  order: LoadOrder,
  nextRequest: () => HttpRequest | GrpcRequest,
  recorder: LoadRecorder,
): Promise<void> {
  const fixedHead = formatFixedHead(order.target);
  const next = (): NextRequest => {
    const request = nextRequest();
    return { bytes: formatRequest(request, fixedHead), status: statusOf(request) };
  };
  await Promise.all(
    Array.from({ length: order.inFlight }, async () => {
      // If failures are only counted, a failed connection is opened again.
      while (!(await askUntilEnd(order, next, recorder)));
    }),
  );
}

type NextRequest = { readonly bytes: string; readonly status: number | undefined };

function statusOf(request: HttpRequest | GrpcRequest): number | undefined {
  return request.protocol === 'http' ? request.status : undefined;
}

/** The pause before the next attempt when the server accepts no connection. */
const RETRY_MS = 20;

/** Sends requests on one connection. Returns true if the load ended, false if the connection ended. */
async function askUntilEnd(
  { target, countFailures }: LoadOrder,
  next: () => NextRequest,
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
    const { bytes, status: expected } = next();
    const begunMs = performance.now();
    connection.ask(bytes, false, ({ status, bodyBytes, body }) => {
      // PostgREST answers 206 if there are more rows than the page has.
      const isExpected =
        expected === undefined ? status === 200 || status === 206 : status === expected;
      if (isExpected) recorder.answered(begunMs, bodyBytes);
      else onFailure(`${bytes.split('\r\n', 1)[0]} was answered ${status}: ${body}`);
      askNext();
    });
  };
  askNext();
  return ended.promise.finally(connection.close);
}
