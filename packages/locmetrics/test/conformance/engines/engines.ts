import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { versionsOf } from '@locmetrics/core/plan/versions-of';
import type { Engine } from '@locmetrics/core/storage/engine';
import { type Access, chooseAccess } from '@locmetrics/row-store/engine/choose-access';
import { openRowEngine } from '@locmetrics/row-store/engine/open-row-engine';
import type { RowFile } from '@locmetrics/row-store/engine/open-row-file';
import { openRowFiles, type RowFiles } from '@locmetrics/row-store/engine/open-row-files';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { clickhouseEngineWith } from '../../clickhouse/clickhouse-engine.ts';
import { CHDB_FOLDER, openChdbDriver } from '../../clickhouse/open-chdb.ts';
import { CLUSTER_URLS, clusterEngine } from '../../cluster/cluster-engine.ts';
import { isInFull } from '../../support/test-count.ts';
import { askedOnce } from '../asked-once.ts';
import type { EngineUnderTest } from './engine-under-test.ts';
import { memoryEngine } from './memory-engine.ts';
import { publishedEngine } from './published-engine.ts';

type OpenColumns = (options: Parameters<typeof openDuckdbEngine>[0]) => Promise<Engine>;

const duckdbEngineOver = (openColumns: OpenColumns): EngineUnderTest =>
  publishedEngine({ name: 'duckdb', tags: 'slow', openEngine: openColumns });

export const duckdbEngine = duckdbEngineOver(openDuckdbEngine);

/** The events of the row store for the plans that it gets. */
type RowEngineEvents = {
  /** How the records are found. */
  readonly onAccess?: (access: Access) => void;
  /** An index does not answer after all. */
  readonly onLeft?: () => void;
};

/** The row store alone: it answers every plan, however long that takes. */
export const rowEngineWith = (events?: RowEngineEvents): EngineUnderTest =>
  publishedEngine({
    name: 'rows',
    openEngine: async ({ directoryOf }) => openRowsAlone(openFiles(directoryOf), events),
  });

/** The row store without another one, over files that it closes. */
export function openRowsAlone(files: RowFiles, { onAccess, onLeft }: RowEngineEvents = {}): Engine {
  const fileOf = (version: ReadableVersion): RowFile => {
    const file = files.find(version);
    if (file !== undefined) return file;
    throw new ServiceError('VERSION_NOT_FOUND', 'The data of this version are no longer kept.');
  };
  const { run } = openRowEngine(fileOf);
  return {
    run: async (plan, signal) => {
      const [version] = versionsOf(plan);
      const access = version ? chooseAccess(plan, fileOf(version)) : ALL;
      onAccess?.(access);
      const found = await run(plan, access, signal);
      if (found === undefined) onLeft?.();
      const answered = found ?? (await run(plan, ALL, signal));
      if (answered === undefined) throw new Error('All records were read, but not for an answer.');
      return answered;
    },
    close: async () => files.close(),
  };
}

const ALL = { kind: 'all' } as const;

const embeddedEngineOver = (openColumns: OpenColumns): EngineUnderTest =>
  publishedEngine({
    name: 'embedded',
    openEngine: async (options) =>
      openEmbeddedEngine({
        rows: openFiles(options.directoryOf),
        columns: await openColumns(options),
      }),
  });

/** For engines that are asked the same over the same tables. */
const openColumnsOnce: OpenColumns = async (options) =>
  askedOnce(await openDuckdbEngine(options), options.directoryOf);

function openFiles(directoryOf: (version: ReadableVersion) => string): RowFiles {
  return openRowFiles({
    directoryOf,
    isChecked: () => true,
    onLeftOut: (_, error) => {
      throw error;
    },
  });
}

/**
 * The engines that the suite runs: with `npm test` the reference and the stores as a service has them, with
 * `npm run test:all` each store alone, for the plans that it does not get in a service. A new engine is one more entry.
 * `npm run test:clickhouse` and `npm run test:cluster` run the suite with theirs.
 */
export const ENGINES: readonly EngineUnderTest[] = enginesOfRun(openDuckdbEngine);

/**
 * The engines that a random test asks about the same tables, which are then imported once. The stores alone are left out
 * where it repeats a few times.
 */
export const ENGINES_AT_ONCE = enginesOfRun(openColumnsOnce).filter(
  ({ tags }) => tags !== 'slow' || isInFull(),
);

/** Those of them that are compared with the reference. */
export const COMPARED = ENGINES_AT_ONCE.filter((engine) => engine !== memoryEngine);

function enginesOfRun(openColumns: OpenColumns): readonly EngineUnderTest[] {
  if (CHDB_FOLDER !== undefined) return [clickhouseEngineWith({ openDriver: openChdbDriver })];
  if (CLUSTER_URLS !== undefined) return [clusterEngine(CLUSTER_URLS)];
  return [
    memoryEngine,
    embeddedEngineOver(openColumns),
    duckdbEngineOver(openColumns),
    { ...rowEngineWith(), tags: 'slow' },
  ];
}
