import { expect, test } from 'vitest';
import { serveLocally } from '../../packages/locmetrics/test/support/listen-locally.ts';
import { useTemporaryFolder } from '../../packages/locmetrics/test/support/use-temporary-folder.ts';
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
  const { port } = await serveLocally((_, response) => response.writeHead(status).end(body));
  await writeDataset(inFolder('dataset'), WORLD);
  await using dataset = await openDatasetReader(inFolder('dataset'));
  const target = { host: '127.0.0.1', port, headers: {} };
  const context = { world: WORLD, pageTokens: new Map() };
  await checkAnswers({ name: 'ours', shape: SHAPE, target, context, dataset });
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
