import type { CurrentFile, HistoryEntry } from './current-file.ts';

/** The version of a dataset that was current at a time. */
export function entryAt(
  current: CurrentFile,
  datasetName: string,
  timeMs: number,
): HistoryEntry | undefined {
  return current.datasets[datasetName]?.history.findLast(
    ({ since }) => Date.parse(since) <= timeMs,
  );
}

/**
 * The times of the switches to versions that are still kept, newest first. The state before the oldest of
 * them is no longer kept.
 */
export function switchTimes({ datasets }: Pick<CurrentFile, 'datasets'>): readonly number[] {
  const times = Object.values(datasets).flatMap(({ history, kept }) =>
    history.filter(({ version }) => kept.includes(version)).map(({ since }) => Date.parse(since)),
  );
  return [...new Set(times)].sort((left, right) => right - left);
}

/** The names of the versions that were current at a time, by dataset. */
export function namesAt(current: CurrentFile, timeMs: number): ReadonlyMap<string, string> {
  return new Map(
    Object.keys(current.datasets)
      .sort()
      .flatMap((name): [string, string][] => {
        const entry = entryAt(current, name, timeMs);
        return entry === undefined ? [] : [[name, entry.version]];
      }),
  );
}
