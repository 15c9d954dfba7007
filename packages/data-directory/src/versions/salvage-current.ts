import { isVersionName } from '@locmetrics/core/domain/version-name';
import type { LeasedVersion } from './version-lease.ts';

/** The readable rest of a damaged `current.json`; none of it is certain. */
export type SalvagedCurrent = {
  readonly current: readonly LeasedVersion[];
  readonly withdrawn: readonly Withdrawn[];
};

/** A version that was withdrawn, and when (RFC 3339, UTC). */
export type Withdrawn = LeasedVersion & { readonly time: string };

/** Undefined if the text is not JSON. */
export function salvageCurrent(text: string): SalvagedCurrent | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { datasets }: { readonly datasets?: unknown } = Object(value);
  const entries: readonly (readonly [string, unknown])[] = Object.entries(Object(datasets));
  return {
    current: entries.flatMap(([datasetName, dataset]) => {
      const { version }: { readonly version?: unknown } = Object(dataset);
      return isVersion(version) ? [{ datasetName, version }] : [];
    }),
    withdrawn: entries.flatMap(([datasetName, dataset]) => {
      const { withdrawn }: { readonly withdrawn?: unknown } = Object(dataset);
      if (!Array.isArray(withdrawn)) return [];
      return withdrawn.flatMap((one: unknown) => {
        const { version, time }: { readonly version?: unknown; readonly time?: unknown } =
          Object(one);
        return isVersion(version) && isTime(time) ? [{ datasetName, version, time }] : [];
      });
    }),
  };
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && isVersionName(value);
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
