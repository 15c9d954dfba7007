import { readWebhookState } from '@locmetrics/cluster/webhook/webhook-state';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import type { DataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { listVersionFolders } from '@locmetrics/data-directory/versions/list-version-folders';
import { refuseMirror } from '@locmetrics/data-directory/versions/refuse-mirror';
import {
  findUnreadable,
  replaceUnreadable,
  type Unreadable,
} from '@locmetrics/data-directory/versions/replace-unreadable';
import {
  type SalvagedCurrent,
  salvageCurrent,
} from '@locmetrics/data-directory/versions/salvage-current';
import { readIntention } from '@locmetrics/data-directory/versions/switch-intention';
import { verifyVersion } from '@locmetrics/data-directory/versions/verify-version';
import {
  readVersionFile,
  type VersionFile,
} from '@locmetrics/data-directory/versions/version-file';
import { readWithdrawnMark } from '@locmetrics/data-directory/versions/withdrawn-mark';
import {
  type FoundVersion,
  planRecovery,
  type RecoveredVersion,
  type RecoveryPlan,
} from '@locmetrics/ingest/publish/plan-recovery';
import { confirm } from '../../cli/ask-on-terminal.ts';
import type { CommandLine, Lists, Run, Switches } from '../../cli/define-command.ts';
import { formatTable, jsonLine, type Output } from '../../cli/output.ts';
import { showPublishProgress } from '../../cli/publish-progress.ts';
import { areVersionsShared, type OpenedDirectory, openDirectory } from '../../compose/open-data.ts';
import { bringUpToDate } from '../../compose/with-versions.ts';
import { ConfigError } from '../../config/config-error.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** Rebuilds a lost or damaged `current.json` from the existing versions; that of a mirror is copied again. */
export const recoverCurrentAction: Run<
  Partial<Lists<'current'>> & Switches<'dryRun' | 'yes'> & Pick<CommandLine, 'asCalled'>
> = async (
  output,
  { settings, current = [], yes = false, dryRun = false, json = false, asCalled },
) => {
  const opened = openDirectory({ settings, output });
  const { directory } = opened;
  if (areVersionsShared(opened.config)) {
    const damaged = await recoverMirror(opened, { asked: current, dryRun });
    if (json) output.data(jsonLine(toAnswer(mirrorAnswer(damaged, dryRun))));
    else output.data(mirrorText(directory, damaged, dryRun));
    return;
  }
  refuseMirror(directory, 'its current.json is not rebuilt from its files');
  const unreadable = findUnreadable(directory);
  if (unreadable === undefined) {
    if (json) output.data(jsonLine(toAnswer()));
    else output.data(`${directory.current} is readable: nothing to recover.\n`);
    return;
  }
  const plan = await makePlan(directory, { unreadable, asked: current, output });
  if (!json) output.data(asCalled(planText(unreadable, plan)));
  else if (!yes && !dryRun) output.messages(planText(unreadable, plan));
  const isAgreed =
    !dryRun && (yes || (await confirm('Rebuild current.json in this way?', { output })));
  const damagedFile = isAgreed
    ? await replaceUnreadable(directory, plan.file, Date.now())
    : undefined;
  if (json) {
    output.data(jsonLine(toAnswer({ unreadable, plan, isDone: isAgreed, damagedFile })));
  } else {
    output.data(isAgreed ? asCalled(doneText(damagedFile)) : 'Nothing was changed.\n');
  }
};

async function makePlan(
  directory: DataDirectory,
  {
    unreadable: { text },
    asked,
    output,
  }: {
    readonly unreadable: Unreadable;
    readonly asked: readonly string[];
    readonly output: Output;
  },
): Promise<RecoveryPlan> {
  const salvaged = text === undefined ? undefined : salvageCurrent(text);
  return planRecovery({
    found: await findVersions(directory, salvaged, output),
    salvaged,
    asked,
    intended: readIntention(directory),
    lastSwitch: readTold(directory),
    now: Date.now(),
  });
}

/** All versions that have a folder; their files are compared with their checksums. */
async function findVersions(
  directory: DataDirectory,
  salvaged: SalvagedCurrent | undefined,
  output: Output,
): Promise<readonly FoundVersion[]> {
  const withdrawn = new Map(salvaged?.withdrawn.map(({ version, time }) => [version, time]));
  const progress = showPublishProgress(output);
  const find = async (signal: AbortSignal): Promise<readonly FoundVersion[]> => {
    const found: FoundVersion[] = [];
    for (const { datasetName, version } of listVersionFolders(directory)) {
      const stage = `verifying ${version}`;
      const folder = directory.version(datasetName, version);
      const { problem } = await verifyVersion(folder, {
        content: true,
        onFraction: (fraction) => progress.update(datasetName, { stage, fraction }),
        signal,
      });
      const file = readFile(folder);
      const withdrawnTime = readWithdrawnMark(folder) ?? withdrawn.get(version);
      found.push({
        datasetName,
        version,
        ...(file === undefined ? {} : { file }),
        ...(problem === undefined ? {} : { problem }),
        ...(withdrawnTime === undefined ? {} : { withdrawnTime }),
      });
    }
    return found;
  };
  return untilInterrupted(find).finally(progress.end);
}

/** The description of a version, which can be readable even if its data are damaged. */
function readFile(folder: string): VersionFile | undefined {
  try {
    return readVersionFile(folder);
  } catch (error) {
    if (error instanceof DataDirectoryError) return undefined;
    throw error;
  }
}

/** The last switch that was sent to the webhook: later switches have greater numbers. */
function readTold(directory: DataDirectory): number {
  try {
    return readWebhookState(directory)?.told ?? 0;
  } catch (error) {
    // The damaged file must be removed anyway; delivery then starts with the next switch.
    if (error instanceof DataDirectoryError) return 0;
    throw error;
  }
}

function planText({ problem }: Unreadable, { datasets, misfits, notKnown }: RecoveryPlan): string {
  const rows = datasets.flatMap(({ dataset, versions }) =>
    versions.map((one) => [dataset, one.version, one.publishedTime, becomesText(one)]),
  );
  const missing = datasets.filter(({ version }) => version === null);
  return [
    `${problem} It can be rebuilt from these versions:`,
    '',
    formatTable(['DATASET', 'VERSION', 'PUBLISHED', 'BECOMES'], rows),
    ...missing.map(
      ({ dataset }) =>
        `${dataset} gets no current version: all its versions are damaged or withdrawn.`,
    ),
    ...misfits,
    ...notKnown,
    'No version is removed.',
    '',
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function becomesText({ state, problem, withdrawnTime }: RecoveredVersion): string {
  if (state === 'damaged') return `damaged: ${problem}`;
  return state === 'withdrawn' ? `withdrawn, as it was at ${withdrawnTime}` : state;
}

function doneText(damagedFile: string | undefined): string {
  const kept = damagedFile === undefined ? '' : ` The damaged file is kept as ${damagedFile}.`;
  return `current.json is rebuilt and in use.${kept}\nSee: locmetrics versions\n`;
}

function mirrorText(
  { current }: DataDirectory,
  damaged: Unreadable | undefined,
  dryRun: boolean,
): string {
  if (damaged !== undefined) {
    return `${damaged.problem} It ${dryRun ? 'would be' : 'was'} copied again from PostgreSQL, which all nodes share.\n`;
  }
  return dryRun
    ? `${current} is readable: nothing to recover.\n`
    : `${current} was readable, and all files of this mirror are what PostgreSQL has.\n`;
}

function mirrorAnswer(
  damaged: Unreadable | undefined,
  dryRun: boolean,
): Parameters<typeof toAnswer>[0] {
  if (damaged === undefined) return undefined;
  const plan = { datasets: [], misfits: [], notKnown: [] };
  return { unreadable: damaged, plan, isDone: !dryRun, damagedFile: undefined };
}

function toAnswer(done?: {
  readonly unreadable: Unreadable;
  readonly plan: Pick<RecoveryPlan, 'datasets' | 'misfits' | 'notKnown'>;
  readonly isDone: boolean;
  readonly damagedFile: string | undefined;
}) {
  return {
    isNeeded: done !== undefined,
    isDone: done?.isDone ?? false,
    problem: done?.unreadable.problem ?? null,
    datasets: done?.plan.datasets ?? [],
    misfits: done?.plan.misfits ?? [],
    notKnown: done?.plan.notKnown ?? [],
    damagedFile: done?.damagedFile ?? null,
  };
}

/**
 * Makes a mirror what PostgreSQL has, in all its files: nothing is chosen from its own versions. Returns why its
 * `current.json` could not be read before; undefined if it could.
 */
async function recoverMirror(
  opened: OpenedDirectory,
  { asked, dryRun }: { readonly asked: readonly string[]; readonly dryRun: boolean },
): Promise<Unreadable | undefined> {
  if (asked.length > 0) {
    throw new ConfigError(
      '--current: PostgreSQL decides the current versions of all nodes, so none can be chosen here.',
      'To switch to another version on all nodes: locmetrics rollback DATASET VERSION',
    );
  }
  const unreadable = findUnreadable(opened.directory);
  if (!dryRun) await bringUpToDate(opened);
  return unreadable;
}
