import type {
  CurrentDataset,
  CurrentFile,
  HistoryEntry,
  RemovedDataset,
  SwitchKind,
  WithdrawnVersion,
} from './current-file.ts';

/** What a switch makes of `current.json`; nothing is written here. */

/** How long versions are kept that are not current any more. */
export type Retention = {
  /** So many of the versions of a dataset that were current last, with the current one. */
  readonly versions: number;
  /** And those that were current so short a while ago. */
  readonly milliseconds: number;
};

/** Longer histories would make `current.json` grow for ever. */
const HISTORY_LENGTH_MAX = 1000;

/** Makes versions current, all in one switch. */
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

/** The same, and what is current takes over from is withdrawn: nobody can ask for it any more. */
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
    throw new Error('What is current cannot be withdrawn without another version.');
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

/** Takes a dataset out as a whole: nobody can ask for any of its versions. */
export function removeDataset(
  current: CurrentFile,
  datasetName: string,
  { now }: { readonly now: number },
): CurrentFile {
  const { [datasetName]: dataset, ...datasets } = current.datasets;
  if (dataset === undefined) throw new Error('What is not published cannot be removed.');
  const number = current.lastSwitch + 1;
  const time = new Date(Math.max(now, lastTimeMs(current) + 1)).toISOString();
  const { version, kept } = dataset;
  const entry: RemovedDataset = { dataset: datasetName, version, kept, time, switch: number };
  const removed = [...(current.removed ?? []), entry].slice(-HISTORY_LENGTH_MAX);
  return { ...current, lastSwitch: number, datasets, removed };
}

/** Gives up the versions that need not be kept any more. */
export function retain(
  current: CurrentFile,
  { versions, milliseconds }: Retention,
  now: number,
): CurrentFile {
  // Each of them may have been current until the file was rebuilt.
  const recoveredMs = Date.parse(current.recovered ?? '') || 0;
  const datasets = Object.entries(current.datasets).map(([name, dataset]) => {
    const needed = new Set(listByLastCurrent(dataset).slice(0, versions));
    for (const [index, { version }] of dataset.history.entries()) {
      const next = dataset.history[index + 1];
      // A version was current until the next one was; the last one still is.
      const untilMs = Math.max(Date.parse(next?.since ?? ''), recoveredMs);
      if (next === undefined || now - untilMs < milliseconds) needed.add(version);
    }
    return [name, { ...dataset, kept: dataset.kept.filter((version) => needed.has(version)) }];
  });
  return { ...current, datasets: Object.fromEntries(datasets) };
}

/** The versions that can be asked for, by when they were current last: the newest first. */
export function listByLastCurrent({ history, kept }: CurrentDataset): readonly string[] {
  const versions = history.toReversed().map(({ version }) => version);
  return [...new Set(versions)].filter((version) => kept.includes(version));
}

/**
 * The versions that the current one came after, the nearest first, as far as they can be asked for. What
 * was rolled back, or withdrawn, is not among them.
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

/** The version that was published before another one, of those that can be asked for. */
export function findPublishedBefore(
  { kept }: Pick<CurrentDataset, 'kept'>,
  version: string,
): string | undefined {
  // They are kept in the order in which they were published.
  return kept[kept.indexOf(version) - 1];
}

/** The number of the switch by which a version was published. */
export function publishSwitchOf({ history }: CurrentDataset, version: string): number | undefined {
  return history.find((entry) => entry.version === version)?.switch;
}

/** Every switch has a time of its own, later than all before it, whatever the clock says. */
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

/** One atomic change of what is current or can be asked for. */
export type Switch = {
  readonly number: number;
  /** RFC 3339, UTC. */
  readonly time: string;
  readonly by: SwitchKind;
  /** What is current since then, in the order of the names. */
  readonly datasets: readonly SwitchedDataset[];
  readonly withdrawn: readonly { readonly dataset: string; readonly version: string }[];
  /** Datasets that are gone as a whole, each with the version that was current. */
  readonly removed: readonly { readonly dataset: string; readonly version: string }[];
};

export type SwitchedDataset = {
  readonly dataset: string;
  /** What was current before; null for the first version of a dataset. */
  readonly before: string | null;
  readonly version: string;
};

/** The switches after that of a number, oldest first, as far as their history goes back. */
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

/** What was current when, the newest first; `until` is null for what is current. */
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
