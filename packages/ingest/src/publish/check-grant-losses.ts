import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import { resolveMetrics } from '@locmetrics/data-directory/versions/resolve-metrics';
import { escapeControls } from '../problems/import-error.ts';
import { PublishError } from '../problems/publish-error.ts';

/** Finds the losses of grants by a switch from one state of the catalog to another. */
export type FindGrantLosses = (
  before: CatalogSnapshot,
  after: CatalogSnapshot,
) => readonly GrantLoss[] | Promise<readonly GrantLoss[]>;

export type GrantLossOptions = {
  /** Absent: no grant is checked. */
  readonly findGrantLosses?: FindGrantLosses;
  /** Whether losses of grants are accepted. */
  readonly acceptsGrantLosses?: boolean;
};

/** Refuses a switch that removes names of grants or, if that is accepted, returns the losses. */
export async function checkGrantLosses(
  { findGrantLosses = () => [], acceptsGrantLosses = false }: GrantLossOptions,
  before: readonly DatasetVersion[],
  after: readonly DatasetVersion[],
): Promise<readonly GrantLoss[]> {
  const losses = await findGrantLosses(toSnapshot(before), toSnapshot(after));
  if (losses.length === 0 || acceptsGrantLosses) return losses;
  throw new PublishError(
    ['Grants would lose data that they name:', ...grantLossLines(losses)].join('\n'),
    'Nothing was switched. Keep this data, change these grants, or accept the losses once with --accept-grant-losses.',
  );
}

/** The losses in the report of a dataset. */
export type GrantLossesOf = (datasetName: string) => readonly GrantLoss[];

/** The losses of a metric belong to each of its datasets. */
export function divideLosses(
  losses: readonly GrantLoss[],
  before: readonly DatasetVersion[],
): GrantLossesOf {
  const { metrics } = resolveMetrics(before);
  return (datasetName) =>
    losses.filter(({ name }) => {
      const metric = metrics.get(name);
      if (metric === undefined) return name === datasetName;
      const { values, layer, relatedLayer } = metric;
      const sources = [values, layer.features, relatedLayer?.features];
      return sources.some((source) => source?.dataset.name === datasetName);
    });
}

/** One line for each dataset or metric of a grant. A long list is cut. */
export function grantLossLines(losses: readonly GrantLoss[]): readonly string[] {
  const hidden = losses.length - LINES_MAX;
  const lines = losses.slice(0, LINES_MAX).map(lossText).map(escapeControls);
  return hidden <= 0 ? lines : [...lines, `… and ${hidden.toLocaleString('en-US')} more`];
}

const LINES_MAX = 20;

function lossText({ organisationId, grantId, pattern, name, isSeen, problems }: GrantLoss): string {
  const lost = isSeen ? `a part of ${name}` : name;
  return `${organisationId} loses ${lost} (grant ${grantId} of '${pattern}'). ${problems.join(' ')}`;
}

function toSnapshot(versions: readonly DatasetVersion[]): CatalogSnapshot {
  const { layers, metrics } = resolveMetrics(versions);
  return { layers, metrics, datasets: new Map(versions.map((one) => [one.dataset.name, one])) };
}
