import type { CheckedFiles } from './derived-files.ts';
import type { LeasedVersion } from './version-lease.ts';

/** Which derived files of versions a worker may use, as the primary found. */
export type FilesInUse = {
  /** Whether those of a version are checked. If that is not known, it is asked for. */
  readonly isChecked: (version: LeasedVersion) => boolean;
  readonly useChecked: (checked: CheckedFiles) => void;
};

/** Files that cannot be used may have been made again meanwhile. */
const ASK_AGAIN_MS = 60_000;

export function openFilesInUse(ask: (version: LeasedVersion) => void): FilesInUse {
  const usable = new Map<string, boolean>();
  const askedMs = new Map<string, number>();
  const keyOf = ({ datasetName, version }: LeasedVersion) => `${datasetName} ${version}`;
  return {
    isChecked: (version) => {
      const key = keyOf(version);
      if (usable.get(key) === true) return true;
      const asked = askedMs.get(key);
      const now = performance.now();
      if (asked === undefined || now - asked > ASK_AGAIN_MS) {
        askedMs.set(key, now);
        ask(version);
      }
      return false;
    },
    useChecked: ({ problem, ...version }) => {
      usable.set(keyOf(version), problem === undefined);
    },
  };
}
