import { expect, test } from 'vitest';
import { openGrpcClient } from '../src/driver/grpc-client.ts';
import { startFloor } from '../src/systems/start-floor.ts';
import { CALL } from '../src/workloads/series-over-grpc.ts';
import { useTemporaryFolder } from './temporary-folder.ts';

const inFolder = useTemporaryFolder();
const HEADERS = { authorization: 'Bearer secret' };

test.each([1, 2])(
  'a floor of %i processes answers over HTTP with the given number of bytes',
  async (workers) => {
    const logFile = inFolder(`http-${workers}.log`);
    await using floor = await startFloor({
      answer: { protocol: 'http', bytes: 1234 },
      workers,
      headers: HEADERS,
      logFile,
    });
    const { host, port, headers } = floor.target;
    expect(headers).toBe(HEADERS);
    for (let count = 0; count < 3; count++) {
      const response = await fetch(`http://${host}:${port}/any`);
      expect(response.status).toBe(200);
      expect(await response.text()).toHaveLength(1234);
    }
  },
);

test.each([1, 2])(
  'a floor of %i processes answers over gRPC with the given number of bytes',
  async (workers) => {
    const logFile = inFolder(`grpc-${workers}.log`);
    await using floor = await startFloor({
      answer: { protocol: 'grpc', bytes: 1234, call: CALL },
      workers,
      headers: HEADERS,
      logFile,
    });
    const client = openGrpcClient(floor.target);
    const answer = await client.ask({ protocol: 'grpc', call: CALL, message: new Uint8Array([1]) });
    expect(answer).toHaveLength(1234);
    client.close();
  },
);
