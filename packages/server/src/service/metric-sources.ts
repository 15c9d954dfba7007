import type { DatasetVersion } from '../domain/version.ts';
import type { MetricSources } from '../observe/open-metrics.ts';
import type { Catalog } from '../versions/open-catalog.ts';
import type { Readiness } from './readiness.ts';
import type { ServiceContext } from './service-context.ts';

/** The sources of the metrics of a serving process. */
export function metricSources(
  {
    catalog,
    engine,
    answers,
  }: Pick<ServiceContext, 'engine' | 'answers'> & { readonly catalog: Pick<Catalog, 'snapshot'> },
  readiness: Pick<Readiness, 'isReady'>,
): MetricSources {
  const { status } = engine;
  return {
    ...(status === undefined ? {} : { readEngine: status.readMemory }),
    queues: {
      answers: answers.length,
      ...(status === undefined ? {} : { queries: status.queries }),
    },
    currentVersions: (): Iterable<DatasetVersion> => {
      try {
        return catalog.snapshot().datasets.values();
      } catch {
        // The readiness metric shows that the catalog cannot be read; the other metrics must stay available.
        return [];
      }
    },
    isReady: readiness.isReady,
  };
}
