import type { DataDirectory } from '../catalog/data-directory.ts';
import { DataDirectoryError } from '../catalog/data-directory-error.ts';
import { listVersionFolders } from '../catalog/list-version-folders.ts';
import {
  findUnreadable,
  replaceUnreadable,
  type Unreadable,
} from '../catalog/replace-unreadable.ts';
import { type SalvagedCurrent, salvageCurrent } from '../catalog/salvage-current.ts';
import { readIntention } from '../catalog/switch-intention.ts';
import { verifyVersion } from '../catalog/verify-version.ts';
import { readVersionFile, type VersionFile } from '../catalog/version-file.ts';
import { readWithdrawnMark } from '../catalog/withdrawn-mark.ts';
import { confirm } from '../cli/confirm.ts';
import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';
import { showPublishProgress } from '../cli/publish-progress.ts';
import { formatTable } from '../cli/table.ts';
import {
  type FoundVersion,
  planRecovery,
  type RecoveredVersion,
  type RecoveryPlan,
} from '../importer/plan-recovery.ts';
import { readWebhookState } from '../webhook/webhook-state.ts';
import { openDirectory } from './open-data.ts';
import { untilInterrupted } from './until-interrupted.ts';

/** Rebuilds a `current.json` that is lost or damaged from the versions that are there. */
export function recoverAction(output: Output): Pick<Actions, 'recoverCurrent'> {
  return {
    recoverCurrent: async ({
      settings,
      current = [],
      yes = false,
      dryRun = false,
      json = false,
    }) => {
      const { directory } = openDirectory({ settings, output });
      const unreadable = findUnreadable(directory);
      if (unreadable === undefined) {
        if (json) output.data(`${JSON.stringify(toAnswer())}\n`);
        else output.data(`${directory.current} can be read: there is nothing to recover.\n`);
        return;
      }
      const plan = await makePlan(directory, { unreadable, asked: current, output });
      if (!json) output.data(planText(unreadable, plan));
      else if (!yes && !dryRun) output.messages(planText(unreadable, plan));
      const isAgreed = !dryRun && (yes || (await confirm('Rebuild current.json so?', { output })));
      const damagedFile = isAgreed
        ? await replaceUnreadable(directory, plan.file, Date.now())
        : undefined;
      if (json) {
        output.data(
          `${JSON.stringify(toAnswer({ unreadable, plan, isDone: isAgreed, damagedFile }))}\n`,
        );
      } else {
        output.data(isAgreed ? doneText(damagedFile) : 'Nothing was changed.\n');
      }
    },
  };
}

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

/** All that have a folder, with their files read and compared with their checksums. */
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

/** Where its data are damaged, it still says what it was published with. */
function readFile(folder: string): VersionFile | undefined {
  try {
    return readVersionFile(folder);
  } catch (error) {
    if (error instanceof DataDirectoryError) return undefined;
    throw error;
  }
}

/** The last switch that the webhook was told of: those that come have greater numbers. */
function readTold(directory: DataDirectory): number {
  try {
    return readWebhookState(directory)?.told ?? 0;
  } catch (error) {
    // It has to be removed anyway, and then begins with the next switch.
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
    `${problem} It would be rebuilt from these versions:`,
    '',
    formatTable(['DATASET', 'VERSION', 'PUBLISHED', 'BECOMES'], rows),
    ...missing.map(({ dataset }) => `Nothing of ${dataset} becomes current: no version is whole.`),
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
  const kept = damagedFile === undefined ? '' : ` The damaged one is kept as ${damagedFile}.`;
  return `current.json is rebuilt, and served from now on.${kept}\nSee: locmetrics versions\n`;
}

function toAnswer(done?: {
  readonly unreadable: Unreadable;
  readonly plan: RecoveryPlan;
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
