import { SCAN_SHAPES } from '../workloads/full-scan.ts';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import type { HttpAnswer } from './answer-reader.ts';
import { formatFixedHead, formatRequest } from './format-request.ts';
import { openGrpcClient } from './grpc-client.ts';
import { openHttpConnection } from './http-connection.ts';
import type { ScanOrder, ScanResult, Target } from './load-order.ts';

/** Reads page after page on one connection until the end. */
export async function scanPages({ shape: name, target }: ScanOrder): Promise<ScanResult> {
  const shape = SCAN_SHAPES.get(name);
  if (shape === undefined) throw new Error(`There is no shape '${name}' of pages.`);
  const { protocol } = shape.ask('');
  const client = protocol === 'grpc' ? openGrpcClient(target) : await openHttpClient(target);
  const latenciesMs: number[] = [];
  let rows = 0;
  let bodyBytes = 0;
  const begunMs = performance.now();
  try {
    for (let position: string | undefined = ''; position !== undefined; ) {
      const askedMs = performance.now();
      const body: Buffer = await client.ask(shape.ask(position));
      latenciesMs.push(performance.now() - askedMs);
      rows += shape.countRows(body);
      bodyBytes += body.length;
      position = shape.next(body, position);
    }
  } finally {
    client.close();
  }
  return {
    durationMs: performance.now() - begunMs,
    latenciesMs: Float64Array.from(latenciesMs),
    rows,
    bodyBytes,
  };
}

type PageClient = {
  /** The bytes of the answer to a request. */
  readonly ask: (request: HttpRequest | GrpcRequest) => Promise<Buffer>;
  readonly close: () => void;
};

async function openHttpClient(target: Target): Promise<PageClient> {
  const fixedHead = formatFixedHead(target);
  const failed = Promise.withResolvers<never>();
  const connection = await openHttpConnection(target, failed.reject);
  return {
    ask: async (request) => {
      const bytes = formatRequest(request, fixedHead);
      const answered = new Promise<HttpAnswer>((resolve) => connection.ask(bytes, true, resolve));
      const { status, body } = await Promise.race([answered, failed.promise]);
      if (body === undefined || (status !== 200 && status !== 206)) {
        throw new Error(`A page was answered ${status}: ${body?.subarray(0, 500)}`);
      }
      return body;
    },
    close: connection.close,
  };
}
