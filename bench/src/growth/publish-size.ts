import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type World, worldName } from '../dataset/world.ts';
import { writeDataset } from '../dataset/write-dataset.ts';
import { locmetricsAt } from '../systems/locmetrics.ts';
import { member } from '../workloads/read-json.ts';

/** The months of each place: the answers of all sizes have the same size. */
export const MONTHS = 24;

/** A data directory with the visits of a number of places. */
export type PublishedSize = {
  readonly world: World;
  readonly directory: string;
  readonly token: string;
  readonly publishSeconds: number;
  /** The commit that published it. */
  readonly publishedBy: string;
};

/** Makes the dataset and publishes it, if no earlier run has. */
export async function publishSize({
  places,
  seed,
  folder,
  fresh,
  messages,
  signal,
  commit: { commit },
}: {
  readonly places: number;
  readonly seed: number;
  readonly folder: string;
  readonly fresh: boolean;
  readonly messages: (line: string) => void;
  readonly signal: AbortSignal;
  readonly commit: { readonly commit: string };
}): Promise<PublishedSize> {
  const world: World = { seed, places, months: MONTHS, longPlaces: 1, names: 1000 };
  const home = join(folder, worldName(world));
  const datasetFolder = join(home, 'dataset');
  const directory = join(home, 'published');
  const described = join(home, 'published.json');
  if (fresh) await rm(home, { recursive: true, force: true });
  if (!existsSync(described)) {
    if (!existsSync(datasetFolder)) {
      messages(`Making ${places.toLocaleString('en-US')} places of ${MONTHS} months`);
      await mkdir(home, { recursive: true });
      await writeDataset(datasetFolder, world);
    }
    signal.throwIfAborted();
    messages(`Publishing ${(places * MONTHS).toLocaleString('en-US')} rows`);
    // A publish that was stopped begins anew.
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    const locmetrics = locmetricsAt(directory, signal);
    const begunMs = performance.now();
    await locmetrics.publish(join(datasetFolder, 'locmetrics.yaml'));
    const publishSeconds = Number(((performance.now() - begunMs) / 1000).toPrecision(4));
    const token = await locmetrics.createToken(['metrics', 'admin']);
    await writeFile(
      `${described}.unfinished`,
      JSON.stringify({ token, publishSeconds, publishedBy: commit }),
      { mode: 0o600 },
    );
    await rename(`${described}.unfinished`, described);
  }
  const known: unknown = JSON.parse(await readFile(described, 'utf8'));
  return {
    world,
    directory,
    token: String(member(known, 'token')),
    publishSeconds: Number(member(known, 'publishSeconds')),
    publishedBy: String(member(known, 'publishedBy')),
  };
}
