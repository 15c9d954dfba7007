import { existsSync } from 'node:fs';
import { matchesPattern } from '@locmetrics/core/domain/grant';
import {
  planRemoval,
  type Removal,
  removePublished,
} from '@locmetrics/ingest/publish/remove-published';
import { askOnTerminal } from '../../cli/ask-on-terminal.ts';
import type { RequiredTexts, Run, Switches } from '../../cli/define-command.ts';
import { jsonLine, type Output } from '../../cli/output.ts';
import { hasStore, type OpenedDirectory, withStoreOf } from '../../compose/open-data.ts';
import { withSwitching } from '../../compose/with-switching.ts';
import { openUpToDate } from '../../compose/with-versions.ts';
import { ConfigError } from '../../config/config-error.ts';
import { recordVersionChanges } from './run-publish.ts';

export const removeDatasetAction: Run<
  RequiredTexts<'dataset'> & Switches<'dryRun' | 'withMetrics' | 'yes'>
> = async (
  output,
  { dataset: datasetName, settings, json, dryRun = false, yes = false, withMetrics = false },
) => {
  const opened = await openUpToDate({ settings, output });
  const { directory } = opened;
  const planned = planRemoval(directory, datasetName, {
    isInDatabase: opened.config.clickhouse !== undefined,
  });
  const grants = await listGrants(opened, planned);
  if (dryRun) {
    output.data(json ? jsonText(planned, grants) : planText(planned, grants));
    return;
  }
  if (!yes) await confirm(planned, grants, output);
  await withSwitching(
    { settings, output },
    async ({ store }) => {
      const removed = await removePublished({
        directory,
        store,
        datasetName,
        endsOtherMetrics: withMetrics,
        clock: Date.now,
      });
      const { versions, metrics, otherMetrics } = removed;
      const details = { versions, metrics: [...metrics, ...otherMetrics] };
      const change = { action: 'dataset.remove', dataset: datasetName, details } as const;
      await recordVersionChanges(opened, [change], output);
      return removed;
    },
    (removed) => {
      const isRemoved = !existsSync(directory.datasetVersions(datasetName));
      if (json) {
        output.data(jsonText(removed, grants, { ...removed, isRemoved }));
        return;
      }
      output.data(`${datasetName} is removed, with its ${countText(removed.versions)}.\n`);
      output.messages(endText(removed, grants));
      if (isRemoved) return;
      output.messages(
        'Requests may still read its data. The service, or locmetrics gc, removes them when no request does.\n',
      );
    },
  );
};

type NamedGrant = {
  readonly grantId: string;
  readonly organisationId: string;
  readonly pattern: string;
};

/** Grants that match only names that are removed. */
async function listGrants(
  opened: OpenedDirectory,
  removal: Removal,
): Promise<readonly NamedGrant[]> {
  if (!hasStore(opened)) return [];
  const ended = [removal.dataset, ...removal.metrics, ...removal.otherMetrics];
  const entries = await withStoreOf(opened, (store) => store.listGrants());
  return entries
    .map(({ organisationId, grant: { grantId, pattern } }) => ({
      grantId,
      organisationId,
      pattern,
    }))
    .filter(
      ({ pattern }) =>
        ended.some((name) => matchesPattern(pattern, name)) &&
        !removal.remaining.some((name) => matchesPattern(pattern, name)),
    );
}

/** Asks for the name of the dataset, because the removal cannot be undone. */
async function confirm(
  planned: Removal,
  grants: readonly NamedGrant[],
  output: Output,
): Promise<void> {
  const { dataset } = planned;
  const typed = await askOnTerminal(
    `${planText(planned, grants)}This cannot be undone. Type the name of the dataset: `,
    { output },
  );
  if (typed === dataset) return;
  throw new ConfigError(
    'Nothing was removed: that is not the name of the dataset.',
    `Type ${dataset}, or give --yes.`,
  );
}

function planText(planned: Removal, grants: readonly NamedGrant[]): string {
  const { dataset, versions, otherMetrics } = planned;
  const refusal =
    otherMetrics.length === 0
      ? ''
      : 'To also remove the metrics of other datasets, give --with-metrics.\n';
  return `${dataset} would be removed, with its ${countText(versions)}.\n${endText(planned, grants)}${refusal}`;
}

function endText(
  { layers, metrics, otherMetrics }: Removal,
  grants: readonly NamedGrant[],
): string {
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['Removed layers', layers],
    ['Removed metrics', metrics],
    ['Removed metrics of other datasets', otherMetrics],
    [
      'Grants that then match nothing',
      grants.map(
        ({ grantId, organisationId, pattern }) => `${grantId} (${organisationId}: ${pattern})`,
      ),
    ],
  ];
  return lines
    .filter(([, names]) => names.length > 0)
    .map(([what, names]) => `${what}: ${names.join(', ')}\n`)
    .join('');
}

function jsonText(
  { dataset, versions, layers, metrics, otherMetrics }: Removal,
  grants: readonly NamedGrant[],
  done?: { readonly switch: number; readonly time: string; readonly isRemoved: boolean },
): string {
  const answer = {
    dataset,
    dryRun: done === undefined,
    switch: done?.switch ?? null,
    time: done?.time ?? null,
    versions,
    layers,
    metrics,
    otherMetrics,
    grants,
    isRemoved: done?.isRemoved ?? false,
  };
  return jsonLine(answer);
}

function countText(versions: readonly string[]): string {
  return versions.length === 1 ? 'version' : `${versions.length} versions`;
}
