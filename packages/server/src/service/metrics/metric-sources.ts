import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { Catalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { ExportStore } from '../../exports/export-store.ts';
import type { MetricSources } from '../../observe/open-metrics.ts';
import type { Readiness } from '../readiness.ts';
import type { ServiceContext } from '../service-context.ts';

/** The sources of the metrics of a serving process. */
export function metricSources(
  {
    catalog,
    engine,
    answers,
    exports,
    needsRowFile,
  }: Pick<ServiceContext, 'engine' | 'answers' | 'exports'> & {
    readonly catalog: Pick<Catalog, 'snapshot'>;
    /** Whether a current version should have a row file and has none that can be used; absent: all have one. */
    readonly needsRowFile?: (version: DatasetVersion) => boolean;
  },
  readiness: Pick<Readiness, 'isReady'>,
  rights: { readonly damaged: () => readonly unknown[] } = { damaged: () => [] },
): MetricSources {
  const { status } = engine;
  const currentVersions = (): readonly DatasetVersion[] => {
    try {
      return [...catalog.snapshot().datasets.values()];
    } catch {
      // The readiness metric shows that the catalog cannot be read; the other metrics must stay available.
      return [];
    }
  };
  return {
    ...(status === undefined ? {} : { readEngine: status.readMemory }),
    queues: {
      answers: answers.length,
      ...(status === undefined ? {} : { queries: status.queries }),
    },
    currentVersions,
    ...(needsRowFile === undefined
      ? {}
      : { rowFilesMissing: () => currentVersions().filter(needsRowFile).length }),
    isReady: readiness.isReady,
    damagedRights: () => rights.damaged().length,
    ...(exports === undefined ? {} : { exports: () => countExports(exports.store) }),
  };
}

async function countExports(
  store: Pick<ExportStore, 'counts'>,
): Promise<Readonly<Record<string, number>>> {
  try {
    return await store.counts();
  } catch {
    // The log shows that the store cannot be used; the other metrics must stay available.
    return {};
  }
}
