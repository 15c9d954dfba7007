import { countMarks, SCAN_SHAPES } from '../workloads/full-scan.ts';
import type { HttpAnswer } from './answer-reader.ts';
import { formatFixedHead, formatRequest } from './format-request.ts';
import { openHttpConnection } from './http-connection.ts';
import type { ScanOrder, ScanResult } from './load-order.ts';

/** Reads page after page on one connection until the end. */
export async function scanPages({ shape: name, target }: ScanOrder): Promise<ScanResult> {
  const shape = SCAN_SHAPES.get(name);
  if (shape === undefined) throw new Error(`There is no shape '${name}' of pages.`);
  const fixedHead = formatFixedHead(target);
  const failed = Promise.withResolvers<never>();
  const connection = await openHttpConnection(target, failed.reject);
  const ask = (bytes: string): Promise<HttpAnswer> =>
    Promise.race([
      new Promise<HttpAnswer>((resolve) => connection.ask(bytes, true, resolve)),
      failed.promise,
    ]);
  const latenciesMs: number[] = [];
  let rows = 0;
  let bodyBytes = 0;
  const begunMs = performance.now();
  try {
    for (let position: string | undefined = ''; position !== undefined; ) {
      const askedMs = performance.now();
      const { status, body } = await ask(formatRequest(shape.ask(position), fixedHead));
      latenciesMs.push(performance.now() - askedMs);
      if (body === undefined || (status !== 200 && status !== 206)) {
        throw new Error(`A page was answered ${status}: ${body?.subarray(0, 500)}`);
      }
      rows += countMarks(body, shape.rowMark);
      bodyBytes += body.length;
      position = shape.next(body, position);
    }
  } finally {
    connection.close();
  }
  return {
    durationMs: performance.now() - begunMs,
    latenciesMs: Float64Array.from(latenciesMs),
    rows,
    bodyBytes,
  };
}
