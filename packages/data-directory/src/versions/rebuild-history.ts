import { publishedTimeOf } from '@locmetrics/core/domain/version-name';
import type {
  CurrentDataset,
  CurrentFile,
  HistoryEntry,
  WithdrawnVersion,
} from './current-file.ts';
import type { Withdrawn } from './salvage-current.ts';
import type { LeasedVersion } from './version-lease.ts';

/** An existing version, with the publish that it names. */
export type PublishedVersion = LeasedVersion & { readonly publish: string | undefined };

/**
 * The `current.json` that results if versions were only published and withdrawn: each version is current
 * from its publish until the next one, versions of one publish from the same time. All are kept.
 */
export function rebuildHistory({
  published,
  withdrawn,
  lastSwitch,
  now,
}: {
  readonly published: readonly PublishedVersion[];
  readonly withdrawn: readonly Withdrawn[];
  /** The minimum number of the last switch: the webhook has received the switches up to it. */
  readonly lastSwitch: number;
  readonly now: number;
}): CurrentFile {
  const events = [
    ...publishesOf(published),
    ...withdrawn.map(
      ({ time, ...version }): Event => ({
        timeMs: Date.parse(time),
        versions: [version],
        isWithdrawal: true,
      }),
    ),
  ].sort((left, right) => left.timeMs - right.timeMs);
  const before = Math.max(0, lastSwitch - events.length);
  const datasets = new Map<string, Pick<CurrentDataset, 'history' | 'kept' | 'withdrawn'>>();
  let lastMs = 0;
  for (const [index, { timeMs, versions, isWithdrawal }] of events.entries()) {
    lastMs = Math.max(timeMs, lastMs + 1);
    const time = new Date(lastMs).toISOString();
    const number = before + index + 1;
    for (const { datasetName, version } of versions) {
      const { history, kept, withdrawn: gone } = datasets.get(datasetName) ?? NOTHING;
      const entry: HistoryEntry = { version, since: time, by: 'publish', switch: number };
      const withdrawal: WithdrawnVersion = { version, time, switch: number };
      datasets.set(
        datasetName,
        isWithdrawal
          ? { history, kept, withdrawn: [...gone, withdrawal] }
          : { history: [...history, entry], kept: [...kept, version], withdrawn: gone },
      );
    }
  }
  return {
    format: 2,
    lastSwitch: before + events.length,
    recovered: new Date(Math.max(now, lastMs)).toISOString(),
    datasets: Object.fromEntries(
      [...datasets].flatMap(([name, dataset]) => {
        const version = dataset.history.at(-1)?.version;
        return version === undefined ? [] : [[name, { version, ...dataset }]];
      }),
    ),
  };
}

type Event = {
  readonly timeMs: number;
  readonly versions: readonly LeasedVersion[];
  readonly isWithdrawal: boolean;
};

const NOTHING = { history: [], kept: [], withdrawn: [] };

/** A version that names no publish counts as a publish of its own. */
function publishesOf(published: readonly PublishedVersion[]): readonly Event[] {
  const together = Map.groupBy(published, ({ publish, version }) => publish ?? version);
  return [...together.values()].map((versions) => ({
    timeMs: Math.max(...versions.map(({ version }) => Date.parse(publishedTimeOf(version)))),
    versions,
    isWithdrawal: false,
  }));
}
