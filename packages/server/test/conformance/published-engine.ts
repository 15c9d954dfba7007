import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReadableVersion } from '../../src/domain/predicate.ts';
import type { Value } from '../../src/domain/value.ts';
import { importDataset } from '../../src/importer/rows/import-dataset.ts';
import { ACCEPT_ANY_CHANGE } from '../../src/manifest/acceptance.ts';
import { PLAIN_READING } from '../../src/manifest/manifest.ts';
import type { openDuckdbEngine } from '../../src/storage/duckdb/engine/open-duckdb-engine.ts';
import type { VersionWriter } from '../../src/storage/duckdb/publish/version-writer.ts';
import type { Engine } from '../../src/storage/engine.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import type { Table } from './table.ts';

type EngineOptions = Parameters<typeof openDuckdbEngine>[0];

const LIMITS = { memoryLimitBytes: 512 * 2 ** 20, threads: 2 };

/** An engine over files that the importer writes from CSV. */
export const publishedEngine = ({
  name,
  tags,
  writers,
  openEngine,
}: {
  readonly name: string;
  readonly tags?: EngineUnderTest['tags'];
  readonly writers: readonly VersionWriter[];
  readonly openEngine: (options: EngineOptions) => Promise<Engine>;
}): EngineUnderTest => ({
  name,
  ...(tags === undefined ? {} : { tags }),
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'locmetrics-conformance-'));
    const temporaryDirectory = join(folder, 'temporary');
    await mkdir(temporaryDirectory);
    const directoryOf = ({ dataset, version }: ReadableVersion): string =>
      join(folder, dataset.name, version);
    const engine = await openEngine({
      directoryOf,
      temporaryDirectory,
      connectionsMax: 2,
      waitingMax: 100,
      ...LIMITS,
    });
    return {
      engine,
      load: async (table) => {
        const directory = directoryOf(table.version);
        await mkdir(directory, { recursive: true });
        const file = join(directory, 'rows.csv');
        await writeFile(file, toCsv(table));
        const { dataset } = table.version;
        await importDataset({
          declared: {
            dataset,
            layers: [],
            metrics: [],
            accept: ACCEPT_ANY_CHANGE,
            source: {
              files: [file],
              format: 'csv',
              fields: new Map(dataset.fields.map(({ name }) => [name, { columns: [name] }])),
              reading: PLAIN_READING,
              areas: [],
              steps: [],
              lookups: [],
            },
          },
          writers,
          directory,
          temporaryDirectory,
          ...LIMITS,
        });
      },
      remove: (version) => rm(directoryOf(version), { recursive: true }),
      close: async () => {
        try {
          await engine.close();
        } finally {
          await rm(folder, { recursive: true });
        }
      },
    };
  },
});

function toCsv({ version, rows }: Table): string {
  const names = version.dataset.fields.map(({ name }) => name);
  const lines = rows.map((row) => names.map((name) => toCsvText(row[name] ?? null)).join(','));
  return [names.join(','), ...lines, ''].join('\n');
}

function toCsvText(value: Value): string {
  if (Object.is(value, -0)) return '-0';
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}
