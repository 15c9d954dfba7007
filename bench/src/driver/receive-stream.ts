import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { STREAM_SHAPES } from '../workloads/streams.ts';
import type { ScanResult, StreamOrder } from './load-order.ts';

/** Receives one long answer and counts its lines, without keeping it. The latency is that of its first bytes. */
export async function receiveStream({ shape: name, target }: StreamOrder): Promise<ScanResult> {
  const shape = STREAM_SHAPES.get(name);
  if (shape === undefined) throw new Error(`There is no stream '${name}'.`);
  const { method, path, headers } = shape.request;
  const { host, port } = target;
  const begunMs = performance.now();
  const sent = request({ host, port, method, path, headers: { ...target.headers, ...headers } });
  sent.end();
  const [answer]: IncomingMessage[] = await once(sent, 'response');
  if (answer?.statusCode !== 200) {
    answer?.destroy();
    throw new Error(`The stream was answered ${answer?.statusCode}.`);
  }
  let firstMs: number | undefined;
  let bodyBytes = 0;
  let lines = 0;
  let last = LINE_FEED;
  // This throws if the connection closes before the end of the answer.
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) throw new Error('A chunk is no buffer.');
    firstMs ??= performance.now() - begunMs;
    bodyBytes += chunk.length;
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1)) {
      lines += 1;
    }
    last = chunk.at(-1) ?? last;
  }
  // PostgREST has no line feed after the last line.
  if (last !== LINE_FEED) lines += 1;
  return {
    durationMs: performance.now() - begunMs,
    latenciesMs: Float64Array.of(firstMs ?? 0),
    rows: shape.format === 'csv' ? lines - 1 : lines,
    bodyBytes,
  };
}

const LINE_FEED = 0x0a;
