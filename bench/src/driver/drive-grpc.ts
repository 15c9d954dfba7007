import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import { openGrpcClient } from './grpc-client.ts';
import type { LoadOrder } from './load-order.ts';
import type { LoadRecorder } from './load-recorder.ts';

/** Keeps `inFlight` calls in flight on a few connections, so that several workers can share them. */
export async function driveGrpc(
  order: LoadOrder,
  nextRequest: () => HttpRequest | GrpcRequest,
  recorder: LoadRecorder,
): Promise<void> {
  const clients = Array.from({ length: CONNECTIONS_COUNT }, () => openGrpcClient(order.target));
  const askUntilEnd = async (index: number): Promise<void> => {
    const client = clients[index % clients.length];
    while (client !== undefined && recorder.mayAsk()) {
      const request = nextRequest();
      const begunMs = performance.now();
      const answer = await client.ask(request);
      recorder.answered(begunMs, answer.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: order.inFlight }, (_, index) => askUntilEnd(index)));
  } finally {
    for (const client of clients) client.close();
  }
}

const CONNECTIONS_COUNT = 4;
