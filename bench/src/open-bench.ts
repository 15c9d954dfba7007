import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { openDatasetReader } from './dataset/dataset-reader.ts';
import { worldName } from './dataset/world.ts';
import { writeDataset } from './dataset/write-dataset.ts';
import { startDriver } from './driver/start-driver.ts';
import { bearer } from './fixed-cost/questions.ts';
import { openClickhouse } from './open-clickhouse.ts';
import { openPeers } from './open-peers.ts';
import { describeVersions } from './results/versions.ts';
import type { Settings } from './settings.ts';
import { buildLocmetrics, locmetricsAt } from './systems/locmetrics.ts';
import { startDuckdb } from './systems/start-duckdb.ts';
import { findCounties, untilCountyTiles } from './workloads/county-tiles.ts';
import { findPageTokens } from './workloads/deep-page.ts';
import { findPartnerPlaces } from './workloads/partner-series.ts';
import { findTilePlaces } from './workloads/tiles.ts';

/** Makes the missing files and starts everything. `things` ends all that was started. */
export async function openBench(
  settings: Settings,
  {
    things,
    running,
    messages,
    signal,
  }: {
    readonly things: AsyncDisposableStack;
    readonly running: readonly Promise<unknown>[];
    readonly messages: (line: string) => void;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly bench: Bench; readonly versions: Readonly<Record<string, string>> }> {
  const { world } = settings;
  const work = await mkdtemp(join(tmpdir(), 'locmetrics-bench-'));
  things.defer(() => rm(work, { recursive: true, force: true }));
  const folder = join(settings.dataFolder ?? work, worldName(world));
  if (settings.fresh) await rm(folder, { recursive: true, force: true });
  const datasetFolder = join(folder, 'dataset');
  if (!existsSync(datasetFolder)) {
    messages(`Making ${world.places} places of ${world.months} months`);
    await mkdir(folder, { recursive: true });
    await writeDataset(datasetFolder, world);
  }
  const dataset = things.use(await openDatasetReader(datasetFolder));
  messages('Building the server');
  // A tiny run measures nothing, and several may run at the same time: they share one build.
  await buildLocmetrics({ isAnyEnough: settings.dataFolder === undefined });
  messages('Publishing');
  const dataDirectory = join(work, 'locmetrics');
  await mkdir(dataDirectory);
  const locmetrics = locmetricsAt(dataDirectory, signal);
  const manifest = join(datasetFolder, 'locmetrics.yaml');
  await locmetrics.publish(manifest);
  signal.throwIfAborted();
  const token = await locmetrics.createToken();
  const partnerToken = settings.only.includes('W1rights')
    ? await locmetrics.createPartnerToken()
    : undefined;
  const ours = things.use(await locmetrics.serve({ token, flags: settings.serverFlags }));
  const duckdb = settings.only.some((id) => id === 'W10' || id.startsWith('W11'))
    ? things.use(await startDuckdb({ dataDirectory, logFile: join(work, 'duckdb.log') }))
    : undefined;
  const peers = settings.withPeers
    ? things.use(await openPeers({ settings, folder, work, dataset, messages }))
    : undefined;
  const overClickhouse = settings.withClickhouse
    ? things.use(
        await openClickhouse({
          locmetrics,
          token,
          serverFlags: settings.serverFlags,
          work,
          messages,
          signal,
        }),
      )
    : undefined;
  signal.throwIfAborted();
  // The driver ends before the systems that it drives. The work folder is deleted after all that use it.
  things.defer(async () => {
    await Promise.allSettled(running);
  });
  const driver = things.use(startDriver());
  const needsTiles = settings.only.some((id) => id.startsWith('W9'));
  const needsCounties = settings.only.some((id) => id.startsWith('W13'));
  if (needsCounties) await untilCountyTiles(ours.http);
  const needsTokens = settings.only.some((id) => id === 'W4' || id === 'W8');
  if (needsTokens) messages('Walking to the deep pages');
  const pageTokens = needsTokens ? await findPageTokens(ours.http, world) : new Map();
  return {
    bench: {
      settings,
      context: {
        world,
        pageTokens,
        ...(needsTiles ? { tilePlaces: await findTilePlaces(dataset) } : {}),
        ...(needsCounties ? { counties: await findCounties(dataset) } : {}),
        ...(partnerToken === undefined ? {} : { partnerPlaces: await findPartnerPlaces(dataset) }),
      },
      dataset,
      manifest,
      driver,
      work,
      locmetrics,
      ours,
      others: {
        oursForPartner:
          partnerToken === undefined ? undefined : { ...ours.http, headers: bearer(partnerToken) },
        oursClickhouse: overClickhouse?.oursClickhouse,
        oursClickhouseWithRows: overClickhouse?.oursClickhouseWithRows,
        oursCluster: overClickhouse?.oursCluster,
        postgrest: peers?.postgrest,
        postgrestForPartner: peers?.postgrestForPartner,
        postgrestBehindNginx: peers?.postgrestBehindNginx,
        postgis: peers?.postgis,
        duckdb: duckdb?.target,
      },
      messages,
      signal,
    },
    versions: {
      ...describeVersions(await locmetrics.version()),
      ...peers?.versions,
      ...overClickhouse?.versions,
    },
  };
}
