import { FIXED_COST_QUESTIONS, pick } from '../fixed-cost/questions.ts';
import { createRandom, drawIndex } from '../seeded-random.ts';
import { REQUEST_WORKLOADS } from '../workloads/request-workloads.ts';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import { driveGrpc } from './drive-grpc.ts';
import { driveHttp } from './drive-http.ts';
import type { DriverOrder, DriverReply, LoadOrder, LoadResult } from './load-order.ts';
import { createLoadRecorder, type LoadRecorder } from './load-recorder.ts';
import { receiveStream } from './receive-stream.ts';
import { scanPages } from './scan-pages.ts';

// The driver is a separate process, so that neither the server under test nor the handling of the data takes
// its CPU time. It runs one order after the other, and exits when its parent process disconnects.
let running: LoadRecorder | undefined;

process.on('message', (message: DriverOrder | 'stop') => {
  if (message === 'stop') running?.stop();
  else void reply(message);
});
process.on('disconnect', () => process.exit());
// A signal from the terminal reaches the whole process group. The parent process ends the run.
process.on('SIGINT', () => undefined);

async function reply(order: DriverOrder): Promise<void> {
  process.send?.(
    await obey(order).catch((error: unknown) => ({
      kind: 'error',
      error: error instanceof Error ? error.message : String(error),
    })),
  );
}

async function obey(order: DriverOrder): Promise<DriverReply> {
  switch (order.kind) {
    case 'load':
      return { kind: 'load', result: await runLoad(order) };
    case 'scan':
      return { kind: 'scan', result: await scanPages(order) };
    case 'stream':
      return { kind: 'stream', result: await receiveStream(order) };
  }
}

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const random = createRandom(order.seedText);
  const { context } = order;
  const asks = order.questions.map(({ workload, shape }) => {
    const fixedCost = FIXED_COST_QUESTIONS.get(shape);
    const { organisations } = context;
    if (workload === 'W0' && fixedCost !== undefined && organisations !== undefined) {
      return () => fixedCost.ask(random, pick(random, organisations));
    }
    const ask = REQUEST_WORKLOADS.get(workload)?.shapes.get(shape)?.ask;
    if (ask === undefined) throw new Error(`${workload} has no shape '${shape}'.`);
    return () => ask(random, context).request;
  });
  const nextRequest = (): HttpRequest | GrpcRequest => {
    const ask = asks[asks.length === 1 ? 0 : drawIndex(random, asks.length)];
    if (ask === undefined) throw new Error('There is nothing to ask.');
    return ask();
  };
  const recorder = createLoadRecorder(order.end);
  running = recorder;
  const drive = order.protocol === 'http' ? driveHttp : driveGrpc;
  // After a failure the other connections end too.
  await drive(order, nextRequest, recorder).finally(recorder.stop);
  return recorder.result();
}
