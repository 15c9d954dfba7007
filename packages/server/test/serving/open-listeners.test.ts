import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { openListeners } from '../../src/serving/open-listeners.ts';

let taken: Server;
let takenAddress = '';
let freeAddress = '';
beforeAll(async () => {
  taken = createServer().listen(0, '127.0.0.1');
  const free = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(taken, 'listening'), once(free, 'listening')]);
  [takenAddress, freeAddress] = [addressOf(taken), addressOf(free)];
  free.close();
  await once(free, 'close');
});
afterAll(() => void taken.close());

test.each<[string, object]>([
  ['--grpc', {}],
  ['--grpc-plaintext', { grpc: 'off' }],
  ['--https', { grpc: 'off' }],
])('a port in use is reported with the flag %s, and no port stays open', async (flag, others) => {
  const key = { '--grpc': 'grpc', '--grpc-plaintext': 'grpcPlaintext', '--https': 'https' }[flag];
  const flags = { http: freeAddress, ...others, [String(key)]: takenAddress };
  const opening = openListeners(readConfig(flags, {}).config, refuseAll, refuseAll);
  await expect(opening).rejects.toMatchObject({ code: 'EADDRINUSE', flag });
  const [, port] = freeAddress.split(':');
  const [error] = await once(connect({ host: '127.0.0.1', port: Number(port) }), 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
});

function addressOf(server: Server): string {
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

function refuseAll(): never {
  throw new Error('Nothing connects here.');
}
