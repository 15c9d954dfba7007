import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read-config.ts';
import { openListeners } from '../../src/serving/open-listeners.ts';
import { freePort, listenLocally } from '../support/listen-locally.ts';

let takenAddress = '';
let freeAddress = '';
beforeAll(async () => {
  takenAddress = (await listenLocally(createServer())).address;
  freeAddress = `127.0.0.1:${await freePort()}`;
});

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

function refuseAll(): never {
  throw new Error('Nothing connects here.');
}
