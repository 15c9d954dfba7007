import { metricName } from '@locmetrics/core/domain/metric';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import {
  type ResolvedMetrics,
  resolveMetrics,
} from '@locmetrics/data-directory/versions/resolve-metrics';
import {
  componentStatements,
  dimensionStatements,
  findDisagreements,
} from '../manifest/find-disagreements.ts';
import { lostMetricsText } from '../problems/metric-notice.ts';
import { PublishError } from '../problems/publish-error.ts';

/**
 * Refuses a publish whose versions contradict the versions that stay current. Returns the metrics that would
 * be served after it. A manifest is checked by itself, but other manifests may have been published before,
 * and only some of its datasets may be published now.
 */
export function checkCatalogChange(
  before: readonly DatasetVersion[],
  after: readonly DatasetVersion[],
): ResolvedMetrics {
  refuseTwoOwners(
    'layer',
    after.flatMap(({ dataset, layers }) => layers.map(({ id }) => [id, dataset.name])),
  );
  refuseTwoOwners(
    'metric',
    after.flatMap(({ dataset, metrics }) =>
      metrics.map((metric) => [metricName(metric), dataset.name]),
    ),
  );
  const resolved = resolveMetrics(after);
  refuseDisagreements(after, resolved);
  refuseLostMetrics(resolveMetrics(before), resolved);
  return resolved;
}

function refuseTwoOwners(
  what: 'layer' | 'metric',
  declared: readonly (readonly [name: string, datasetName: string])[],
): void {
  const owners = new Map<string, string>();
  for (const [name, datasetName] of declared) {
    const owner = owners.get(name);
    if (owner !== undefined) {
      throw new PublishError(
        `The ${what} '${name}' would be declared for two datasets: ${owner} and ${datasetName}.`,
        'Give it another id in one of them. If it has moved, publish both datasets together.',
      );
    }
    owners.set(name, datasetName);
  }
}

/** Components and dimensions belong to their catalog: two catalogs may define the same name differently. */
function refuseDisagreements(
  versions: readonly DatasetVersion[],
  { metrics: resolved }: ResolvedMetrics,
): void {
  const components = [...resolved.values()].flatMap(({ metric, layer, relatedLayer }) =>
    [layer, ...(relatedLayer === undefined ? [] : [relatedLayer])].flatMap((version) =>
      componentStatements(version.layer).map((statement) => ({
        ...statement,
        name: `${metric.catalogId}/${statement.name}`,
        owner: `the layer '${version.layer.id}' of ${version.features.dataset.name}`,
      })),
    ),
  );
  const dimensions = versions.flatMap(({ dataset, metrics }) =>
    metrics.flatMap((metric) =>
      dimensionStatements(metric).map((statement) => ({
        ...statement,
        name: `${metric.catalogId}/${statement.name}`,
        owner: `the metric '${metricName(metric)}' of ${dataset.name}`,
      })),
    ),
  );
  for (const [what, statements] of [
    ['component', components],
    ['dimension', dimensions],
  ] as const) {
    const [found] = findDisagreements(statements);
    if (found === undefined) continue;
    const { name, key, first, second } = found;
    throw new PublishError(
      `The ${key} of the ${what} '${name}' would be '${first.value}' in ${first.owner}, but '${second.value}' in ${second.owner}.`,
      `A catalog shows each ${what} once: write the same text in both, and publish both datasets.`,
    );
  }
}

function refuseLostMetrics(before: ResolvedMetrics, after: ResolvedMetrics): void {
  const lost = after.incomplete.filter(({ metric }) => before.metrics.has(metricName(metric)));
  if (lost.length === 0) return;
  throw new PublishError(
    lostMetricsText(lost),
    'Publish the missing part too. To change or remove the metric, also publish its dataset.',
  );
}
