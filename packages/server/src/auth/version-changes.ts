import type { Actor } from './actor.ts';
import type { Change, MakeChange } from './make-change.ts';

/** A change of what is published. Versions are switched in a file of their own; this is only for the audit log. */
export type VersionChange = {
  readonly action: Extract<Change['action'], `version.${string}` | 'dataset.remove'>;
  readonly dataset: string;
  /** The names of versions. */
  readonly details: Readonly<Record<string, unknown>>;
};

export type VersionChangeOperations = {
  /** Writes switches that were made into the audit log. */
  recordVersionChanges(changes: readonly VersionChange[], by?: Actor): void;
};

export function prepareVersionChanges({
  makeChange,
}: {
  readonly makeChange: MakeChange;
}): VersionChangeOperations {
  return {
    recordVersionChanges(changes, by) {
      for (const { action, dataset, details } of changes) {
        // Published data belong to no organisation.
        const change = { action, organisationId: '', subject: dataset, details };
        makeChange(by, () => ({ result: undefined, change }));
      }
    },
  };
}

/** Switches to other versions, each with the one before. */
export function switchChanges(
  action: VersionChange['action'],
  datasets: readonly {
    readonly dataset: string;
    readonly version: string;
    readonly before: string | null;
  }[],
): readonly VersionChange[] {
  return datasets.map(({ dataset, version, before }) => ({
    action,
    dataset,
    details: { version, before },
  }));
}
