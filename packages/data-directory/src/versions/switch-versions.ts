import type {
  CurrentDataset,
  CurrentFile,
  HistoryEntry,
  RemovedDataset,
  SwitchKind,
  WithdrawnVersion,
} from './current-file.ts';

/** Pure functions that compute the next `current.json`. */

/** How long versions are kept that are no longer current. */
export type Retention = {
  /** The number of most recently current versions of a dataset to keep, including the current one. */
  readonly versions: number;
  /** Versions that were current within this time are kept too. */
  readonly milliseconds: number;
};

/** Limits the growth of `current.json`. */
const HISTORY_LENGTH_MAX = 1000;

/** Makes versions current in a single switch. */
export function switchTo(
  current: CurrentFile,
  versions: ReadonlyMap<string, string>,
  { by, now }: { readonly by: SwitchKind; readonly now: number },
): CurrentFile {
  const number = current.lastSwitch + 1;
  const since = new Date(Math.max(now, lastTimeMs(current) + 1)).toISOString();
  const datasets = { ...current.datasets };
  for (const [name, version] of versions) {
    const { history, kept, withdrawn } = datasets[name] ?? NEVER_CURRENT;
    datasets[name] = {
      version,
      history: [...history, { version, since, by, switch: number }].slice(-HISTORY_LENGTH_MAX),
      kept: kept.includes(version) ? kept : [...kept, version],
      withdrawn,
    };
  }
  return { ...current, lastSwitch: number, datasets };
}

const NEVER_CURRENT: Omit<CurrentDataset, 'version'> = { history: [], kept: [], withdrawn: [] };

/** Switches like `switchTo` and withdraws the replaced versions, which can then no longer be queried. */
export function withdraw(
  current: CurrentFile,
  withdrawn: { readonly datasetName: string; readonly version: string },
  { replacement, now }: { readonly replacement: string | undefined; readonly now: number },
): CurrentFile {
  const { datasetName, version } = withdrawn;
  const replacing = new Map(replacement === undefined ? [] : [[datasetName, replacement]]);
  const switched = switchTo(current, replacing, { by: 'withdrawal', now });
  const dataset = switched.datasets[datasetName];
  if (dataset === undefined || dataset.version === version) {
    throw new Error('A current version cannot be withdrawn without a replacement.');
  }
  const time = new Date(Math.max(now, lastTimeMs(current) + 1)).toISOString();
  const entry: WithdrawnVersion = { version, time, switch: switched.lastSwitch };
  return {
    ...switched,
    datasets: {
      ...switched.datasets,
      [datasetName]: {
        ...dataset,
        kept: dataset.kept.filter((one) => one !== version),
        withdrawn: [...dataset.withdrawn, entry].slice(-HISTORY_LENGTH_MAX),
      },
    },
  };
}

/** Removes a dataset: none of its versions can be queried any more. */
export function removeDataset(
  current: CurrentFile,
  datasetName: string,
  { now }: { readonly now: number },
): CurrentFile {
  const { [datasetName]: dataset, ...datasets } = current.datasets;
  if (dataset === undefined) throw new Error('An unpublished dataset cannot be removed.');
  const number = current.lastSwitch + 1;
  const time = new Date(Math.max(now, lastTimeMs(current) + 1)).toISOString();
  const { version, kept } = dataset;
  const entry: RemovedDataset = { dataset: datasetName, version, kept, time, switch: number };
  const removed = [...(current.removed ?? []), entry].slice(-HISTORY_LENGTH_MAX);
  return { ...current, lastSwitch: number, datasets, removed };
}

/** Drops the versions that need not be kept any more. */
export function retain(
  current: CurrentFile,
  { versions, milliseconds }: Retention,
  now: number,
): CurrentFile {
  // Any version may have been current until the file was rebuilt.
  const recoveredMs = Date.parse(current.recovered ?? '') || 0;
  const datasets = Object.entries(current.datasets).map(([name, dataset]) => {
    const needed = new Set(listByLastCurrent(dataset).slice(0, versions));
    for (const [index, { version }] of dataset.history.entries()) {
      const next = dataset.history[index + 1];
      // A version was current until the next one became current; the last one still is.
      const untilMs = Math.max(Date.parse(next?.since ?? ''), recoveredMs);
      if (next === undefined || now - untilMs < milliseconds) needed.add(version);
    }
    return [name, { ...dataset, kept: dataset.kept.filter((version) => needed.has(version)) }];
  });
  return { ...current, datasets: Object.fromEntries(datasets) };
}

/** The kept versions, most recently current first. */
export function listByLastCurrent({ history, kept }: CurrentDataset): readonly string[] {
  const versions = history.toReversed().map(({ version }) => version);
  return [...new Set(versions)].filter((version) => kept.includes(version));
}

/**
 * The kept predecessors of the current version, nearest first. Versions that were rolled back or withdrawn
 * are not included.
 */
export function listEarlier({ history, kept }: CurrentDataset): readonly string[] {
  const line: string[] = [];
  for (const { version } of history) {
    const known = line.indexOf(version);
    if (known >= 0) line.length = known;
    line.push(version);
  }
  return line
    .slice(0, -1)
    .reverse()
    .filter((version) => kept.includes(version));
}

/** The kept version that was published before another one. */
export function findPublishedBefore(
  { kept }: Pick<CurrentDataset, 'kept'>,
  version: string,
): string | undefined {
  // The kept versions are in publish order.
  return kept[kept.indexOf(version) - 1];
}

/** The number of the switch by which a version was published. */
export function publishSwitchOf({ history }: CurrentDataset, version: string): number | undefined {
  return history.find((entry) => entry.version === version)?.switch;
}

/** Every switch has a unique time, later than all earlier ones, even if the clock went back. */
function lastTimeMs({ datasets, removed }: CurrentFile): number {
  const times = [
    removed?.at(-1)?.time,
    ...Object.values(datasets).flatMap(({ history, withdrawn }) => [
      history.at(-1)?.since,
      withdrawn.at(-1)?.time,
    ]),
  ];
  return Math.max(0, ...times.flatMap((time) => (time === undefined ? [] : Date.parse(time))));
}

/** One atomic change of the current or the kept versions. */
export type Switch = {
  readonly number: number;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly by: SwitchKind;
  /** The datasets with a new current version, sorted by name. */
  readonly datasets: readonly SwitchedDataset[];
  readonly withdrawn: readonly { readonly dataset: string; readonly version: string }[];
  /** Removed datasets, each with the version that was current. */
  readonly removed: readonly { readonly dataset: string; readonly version: string }[];
};

export type SwitchedDataset = {
  readonly dataset: string;
  /** The previously current version; null for the first version of a dataset. */
  readonly before: string | null;
  readonly version: string;
};

/** The switches after a given number, oldest first, as far as the history goes back. */
export function listSwitches(current: CurrentFile, after = 0): readonly Switch[] {
  const switches = new Map<number, Switch>();
  const add = (number: number, time: string, by: SwitchKind, part: Partial<Switch>): void => {
    if (number <= after) return;
    const known = switches.get(number) ?? {
      number,
      time,
      by,
      datasets: [],
      withdrawn: [],
      removed: [],
    };
    switches.set(number, {
      ...known,
      datasets: [...known.datasets, ...(part.datasets ?? [])],
      withdrawn: [...known.withdrawn, ...(part.withdrawn ?? [])],
      removed: [...known.removed, ...(part.removed ?? [])],
    });
  };
  for (const [name, { history, withdrawn }] of inNameOrder(current)) {
    for (const [index, { version, since, by, switch: number }] of history.entries()) {
      const before = history[index - 1]?.version ?? null;
      add(number, since, by, { datasets: [{ dataset: name, before, version }] });
    }
    for (const { version, time, switch: number } of withdrawn) {
      add(number, time, 'withdrawal', { withdrawn: [{ dataset: name, version }] });
    }
  }
  for (const { dataset, version, time, switch: number } of current.removed ?? []) {
    add(number, time, 'removal', { removed: [{ dataset, version }] });
  }
  return [...switches.values()].sort((left, right) => left.number - right.number);
}

export function lastSwitch(current: CurrentFile): Switch {
  const [last] = listSwitches(current, current.lastSwitch - 1);
  if (last === undefined) throw new Error('A switch is in no history.');
  return last;
}

/** The times at which versions were current, newest first; `until` is null for the current one. */
export function listHistory(
  current: CurrentFile,
): readonly (HistoryEntry & { readonly dataset: string; readonly until: string | null })[] {
  return inNameOrder(current)
    .flatMap(([dataset, { history }]) =>
      history.map((entry, index) => ({
        dataset,
        ...entry,
        until: history[index + 1]?.since ?? null,
      })),
    )
    .sort((left, right) => right.switch - left.switch);
}

function inNameOrder({ datasets }: CurrentFile): readonly (readonly [string, CurrentDataset])[] {
  return Object.entries(datasets).sort(([left], [right]) => (left < right ? -1 : 1));
}
