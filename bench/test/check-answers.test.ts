import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../../packages/server/test/support/use-temporary-folder.ts';
import { checkAnswers } from '../src/check-answers.ts';
import { openDatasetReader } from '../src/dataset/dataset-reader.ts';
import type { World } from '../src/dataset/world.ts';
import { writeDataset } from '../src/dataset/write-dataset.ts';
import type { Shape } from '../src/workloads/workload.ts';

const inFolder = useTemporaryFolder();
const WORLD: World = { seed: 1, places: 20, months: 2, longPlaces: 2, names: 10 };

const SHAPE: Shape = {
  system: 'ours',
  ask: () => ({
    request: { protocol: 'http', method: 'GET', path: '/count' },
    read: ({ body }) => ({ count: body }),
    expect: async (dataset) => {
      const [[count] = []] = await dataset.rows('SELECT count(*)::INTEGER FROM visits');
      return { count, anotherFact: true };
    },
  }),
};

async function check(status: number, body: string): Promise<void> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await writeDataset(inFolder('dataset'), WORLD);
  await using dataset = await openDatasetReader(inFolder('dataset'));
  // `address()` is an object, because the server listens on a port and not on a socket file.
  const { port } = server.address() as AddressInfo;
  const target = { host: '127.0.0.1', port, headers: {} };
  const context = { world: WORLD, pageTokens: new Map() };
  await checkAnswers({ name: 'ours', shape: SHAPE, target, context, dataset }).finally(() => {
    server.closeAllConnections();
    server.close();
  });
}

test('answers that equal the files are right', async () => {
  await expect(check(200, '40')).resolves.toBeUndefined();
});

test('a wrong answer is reported with the expected one', async () => {
  await expect(check(200, '41')).rejects.toThrow(
    /ours answered wrongly to .*\/count.*\ncount: 41\nexpected: 40/,
  );
});

test('an error answer is reported', async () => {
  await expect(check(401, '{"title":"no"}')).rejects.toThrow(
    'GET /count was answered 401: {"title":"no"}',
  );
});
