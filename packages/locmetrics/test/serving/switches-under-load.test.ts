// @module-tag slow

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import type { VersionStore } from '@locmetrics/data-directory/versions/version-store';
import { publish } from '@locmetrics/ingest/publish/publish-datasets';
import { rollBack, withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService } from '../commands/start-service.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { WHOLE_PUBLISH } from '../importer/whole-publish.ts';
import { testCount } from '../support/test-count.ts';

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
});
afterAll(async () => {
  await data.remove();
});

/** The number of publishes. There is one rollback for ten publishes; half-way, the previous version is withdrawn. */
const PUBLISHES = testCount('SWITCHES', { few: 6, all: 200 });
const READERS = 2;
/** The retention is short, so that versions are removed while they are read, but longer than any reader needs. */
const RETENTION = { versions: 3, milliseconds: 15_000 };

const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    fields:
      id: { type: string }
      generation: { type: integer }
      label: { type: string }
  town.visits:
    files: visits.csv
    key: [id]
    fields:
      id: { type: string }
      generation: { type: integer }
layers:
  places: { dataset: town.places, feature_id: id, name: label }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: id
    cadence: monthly
    period: { start: 2024-01-01, end: 2024-01-31 }
    measure: { name: generation, field: generation, kind: count }
`;

/** Each generation has its own number of records. Every record contains the generation. */
const recordCount = (generation: number): number => 120 + (generation % 17);

async function writeGeneration(folder: string, generation: number): Promise<void> {
  const ids = Array.from({ length: recordCount(generation) }, (_, index) => `P${1000 + index}`);
  const places = ids.map((id) => `${id},${generation},Place ${generation}\n`);
  const visits = ids.map((id) => `${id},${generation}\n`);
  await writeFile(join(folder, 'places.csv'), `id,generation,label\n${places.join('')}`);
  await writeFile(join(folder, 'visits.csv'), `id,generation\n${visits.join('')}`);
}

/** The counts and the generations of records that one reader saw in a version. */
type Sight = {
  readonly version: string;
  readonly counts: readonly number[];
  readonly generations: readonly number[];
};

/** A page of any request. */
type Page = {
  readonly version: string;
  /** Undefined if the request counts something other than records. */
  readonly totalSize: number | undefined;
  readonly nextPageToken: string;
  /** The generation of each record of the page. Undefined if a record has none. */
  readonly generations: readonly number[] | undefined;
};
type Ask = (pageToken: string, asOf: string) => Promise<Page>;

class Refusal extends Error {
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

test('readers page, count and query while versions are published, rolled back, withdrawn and removed', {
  timeout: 180_000 + PUBLISHES * 15_000,
}, async () => {
  const folder = await data.folder('sources');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'locmetrics.yaml'), MANIFEST);
  let generation = 0;
  /** The generation of each version. */
  const published = new Map<string, number>();
  const switches = countSwitches();
  const files = fileVersions(data.directory);
  const store: VersionStore = {
    ...files,
    announce: async (versions) => {
      switches.begin();
      await files.announce(versions);
    },
  };
  const publishNext = async (): Promise<void> => {
    generation += 1;
    await writeGeneration(folder, generation);
    const { datasets } = await publish({
      ...WHOLE_PUBLISH,
      store,
      retention: RETENTION,
      manifestPath: join(folder, 'locmetrics.yaml'),
      datasetNames: [],
      directory: data.directory,
      memoryLimitBytes: 2 ** 28,
      threads: 1,
      clock: Date.now,
    });
    for (const { version } of datasets) published.set(version.version, generation);
    switches.end();
  };
  await publishNext();
  const serving = await startService(data.directory.root, [
    ...['--workers', '2', '--access-log', 'off', '--memory', '256MiB', '--query-timeout', '5s'],
  ]);
  const { url } = serving;

  const sights: Sight[] = [];
  /** The generations of withdrawn versions, and of all versions that were read. */
  const withdrawn = new Set<number>();
  const generations = new Map<string, number>();
  let expired = 0;
  let isOver = false;
  const read = async (ask: Ask): Promise<void> => {
    let last = '';
    for (let round = 0; !isOver; round += 1) {
      const pages: Page[] = [];
      const untilNext = switches.untilNext();
      // Every second time, the last version is requested by its name.
      const asOf = round % 2 === 1 ? last : '';
      try {
        const first = await ask('', asOf);
        pages.push(first);
        // The version of a metric contains the versions of both datasets.
        generations.set(first.version, first.generations?.[0] ?? 0);
        for (let page = first; page.nextPageToken !== ''; ) {
          page = await ask(page.nextPageToken, asOf);
          pages.push(page);
        }
      } catch (error) {
        const version = pages[0]?.version ?? asOf;
        const isGone = withdrawn.has(published.get(version) ?? generations.get(version) ?? 0);
        const ends = error instanceof Refusal ? error.reason : '';
        if (!isGone || !['PAGE_TOKEN_EXPIRED', 'VERSION_NOT_FOUND'].includes(ends)) throw error;
        expired += 1;
        continue;
      }
      expect(new Set(pages.map(({ version }) => version)).size).toBe(1);
      last = pages[0]?.version ?? '';
      const told = pages.flatMap((page) => page.generations ?? []);
      const totals = pages.flatMap(({ totalSize }) => totalSize ?? []);
      // If the pages have records, they have all records.
      const counts = totals.length > 0 && told.length > 0 ? [told.length] : [];
      sights.push({
        version: last,
        counts: [...new Set([...totals, ...counts])],
        generations: [...new Set(told)],
      });
      await untilNext();
    }
  };
  const asks = [askRecords(url), askValues(url), askCount(url), askLabels(url)];
  const readers = Array.from({ length: READERS * asks.length }, (_, index) =>
    read(asks[index % asks.length] ?? askRecords(url)),
  );
  // A failed reader ends the test at once.
  const failing = Promise.all(readers);
  /** Switches both datasets, so that the current versions stay of one generation. */
  const withdrawBoth = async (): Promise<void> => {
    switches.begin();
    const { datasets } = readCurrentFile(data.directory.current);
    const older = Object.values(datasets).map(({ kept }) => kept.at(-2) ?? '');
    for (const version of older) {
      withdrawn.add(published.get(version) ?? 0);
      await withdrawVersion({ directory: data.directory, version, clock: Date.now });
    }
    // Pages of the withdrawn version end now, and its data are removed while they are read.
    await collectGarbage(files, { now: Date.now() });
    switches.end();
  };
  const publishing = (async () => {
    let rollbacks = 0;
    while (generation < PUBLISHES && !isOver) {
      await publishNext();
      if (generation % 10 === 5) {
        const options = { directory: data.directory, clock: Date.now, version: undefined };
        switches.begin();
        await rollBack({ ...options, datasetName: 'town.places', isTogether: true });
        switches.end();
        rollbacks += 1;
      }
      if (generation === Math.floor(PUBLISHES / 2)) await withdrawBoth();
    }
    return rollbacks;
  })();
  const rollbacks = await Promise.race([publishing, failing.then(() => 0)]);
  isOver = true;
  switches.begin();
  await failing;
  serving.kill('SIGTERM');
  const { messages } = await serving.ended;

  const byVersion = Map.groupBy(sights, ({ version }) => version);
  for (const [version, seen] of byVersion) {
    const generations = [...new Set(seen.flatMap((sight) => sight.generations))];
    const counts = [...new Set(seen.flatMap((sight) => sight.counts))];
    expect({ version, generations, counts }).toEqual({
      version,
      // The version of a metric contains both versions.
      generations: [published.get(version) ?? generations[0]].slice(0, generations.length),
      counts: [recordCount(published.get(version) ?? 0)].slice(0, counts.length),
    });
  }
  expect(byVersion.size).toBeGreaterThan(PUBLISHES / 2);
  expect(rollbacks).toBe(Math.floor((PUBLISHES + 5) / 10));
  expect(messages).not.toMatch(/"level":50/);
  // A withdrawal ends only the pages of the withdrawn version.
  expect(expired).toBeLessThan(sights.length / 10);
});

/**
 * Counts switches, so that readers read without a pause from just before a switch until each has read everything once after
 * it, and leave the processor to the import of the next version.
 */
function countSwitches() {
  let begun = 0;
  let ended = 0;
  let next = Promise.withResolvers<void>();
  return {
    begin: () => {
      begun += 1;
      next.resolve();
      next = Promise.withResolvers();
    },
    end: () => {
      ended = begun;
    },
    /** Returns how the reader waits, unless a switch was not over when it began, or has begun since. */
    untilNext: () => {
      const before = ended;
      return async (): Promise<void> => {
        if (before === begun) await next.promise;
      };
    },
  };
}

async function send(url: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const headers = {
    authorization: `Bearer ${data.token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await fetch(`${url}${path}`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  const json = Object(await answer.json());
  if (answer.ok) return json;
  throw new Refusal(String(json.reason ?? `${answer.status}: ${JSON.stringify(json)}`));
}

function toPage(
  { version, nextPageToken }: Record<string, unknown>,
  read: Pick<Page, 'totalSize' | 'generations'>,
): Page {
  return { version: String(version), nextPageToken: String(nextPageToken ?? ''), ...read };
}

const PLACES = { dataReferenceName: 'town.places', pageSize: 50 };

function askRecords(url: string): Ask {
  return async (pageToken, asOf) => {
    const answer = await send(url, '/v3/catalog/listRecords', { ...PLACES, pageToken, asOf });
    const records = list(answer['records']);
    return toPage(answer, {
      totalSize: Number(answer['totalSize']),
      generations: records.map((record) => Number(Object(record['fields']).generation)),
    });
  };
}

function askCount(url: string): Ask {
  return async (_pageToken, asOf) => {
    const request = { ...PLACES, asOf, countOnly: true };
    const answer = await send(url, '/v3/catalog/listRecords', request);
    return toPage(answer, { totalSize: Number(answer['totalSize']), generations: undefined });
  };
}

function askLabels(url: string): Ask {
  return async (pageToken, asOf) => {
    const answer = await send(url, '/v3/catalog/searchFieldValues', {
      ...PLACES,
      field: 'label',
      term: 'place',
      pageToken,
      asOf,
    });
    const labels = answer['values'] as readonly string[];
    return toPage(answer, { totalSize: undefined, generations: labels.map(generationOf) });
  };
}

/** A value and the name of its feature are from two datasets. */
function askValues(url: string): Ask {
  return async (pageToken, asOf) => {
    const parameters = new URLSearchParams({ billingContext: ORGANISATION_ID, pageSize: '50' });
    if (pageToken !== '') parameters.set('pageToken', pageToken);
    if (asOf !== '') parameters.set('asOf', asOf);
    const answer = await send(url, `/v1/catalogs/town/metrics/visits/values?${parameters}`);
    const generations = list(answer['valuesList']).flatMap(({ value, mapFeatureV2 }) => [
      Number(Object(value).count),
      generationOf(String(Object(mapFeatureV2).name)),
    ]);
    return toPage(answer, { totalSize: undefined, generations });
  };
}

function generationOf(label: string): number {
  return Number(/^Place ([0-9]+)$/.exec(label)?.[1]);
}

function list(value: unknown): readonly Record<string, unknown>[] {
  return value as readonly Record<string, unknown>[];
}
