/**
 * A process that switches, for tests: of the files of a data directory, or of a node of a cluster. Its argument is JSON;
 * see `SwitchingWork`. It prints a line for each switch that is made.
 */

import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import { sharedVersions } from '@locmetrics/cluster/versions/shared-versions';
import { collectGarbage } from '@locmetrics/data-directory/versions/collect-garbage';
import { readCurrentFile } from '@locmetrics/data-directory/versions/current-file';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { fileVersions } from '@locmetrics/data-directory/versions/file-versions';
import { SwitchLockedError } from '@locmetrics/data-directory/versions/switch-lock';
import { rollBack, withdrawVersion } from '@locmetrics/ingest/publish/roll-back';
import { publishSmall } from './small-version.ts';

export type SwitchingWork = {
  readonly root: string;
  /** Absent: the files alone. */
  readonly url?: string | undefined;
  readonly by: string;
  readonly steps: readonly SwitchingStep[];
};

export type SwitchingStep =
  | { readonly kind: 'publish'; readonly datasets: readonly string[] }
  | { readonly kind: 'rollback'; readonly dataset: string }
  | { readonly kind: 'withdraw'; readonly dataset: string }
  | { readonly kind: 'collect'; readonly versions: number };

const { root, url, by, steps }: SwitchingWork = JSON.parse(process.argv[2] ?? '');
const directory = dataDirectory(root);
const postgres = url === undefined ? undefined : openPostgres(url);
const store =
  postgres === undefined
    ? fileVersions(directory)
    : sharedVersions({ postgres, directory, usesForMs: 0, marginMs: 0 });

for (const step of steps) await untilUnlocked(() => make(step));
await postgres?.close();

async function make(step: SwitchingStep): Promise<void> {
  if (step.kind === 'publish') {
    const { number } = await publishSmall(store, step.datasets, { by });
    print(number);
  } else if (step.kind === 'collect') {
    const retention = { versions: step.versions, milliseconds: 0 };
    await collectGarbage(store, { retention, now: Date.now() });
  } else {
    const given = { directory, store, clock: Date.now };
    const datasetName = step.dataset;
    const { number } =
      step.kind === 'rollback'
        ? await rollBack({ ...given, datasetName, version: undefined, isTogether: false })
        : await withdrawVersion({ ...given, version: currentOf(datasetName) });
    print(number);
  }
}

function print(number: number): void {
  process.stdout.write(`${number}\n`);
}

function currentOf(datasetName: string): string {
  return readCurrentFile(directory.current).datasets[datasetName]?.version ?? '';
}

/** On a slow machine many processes may wait for longer than a command does. */
async function untilUnlocked(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof SwitchLockedError)) throw error;
    }
  }
}
