import type { CurrentFile } from './current-file.ts';
import { type Retention, retain } from './switch-versions.ts';
import type { CollectedGarbage, VersionStore } from './version-store.ts';

/**
 * Drops outdated versions, then removes versions that can no longer be queried and that no worker uses,
 * and the leftover files of killed processes.
 *
 * No switch can happen in the meantime, so a version that is not kept was dropped, or its publish ended
 * before its switch.
 *
 * Commands have the settings that say how long versions are kept. The service removes only versions that are already
 * marked as not kept, which needs no setting.
 */
export async function collectGarbage(
  store: Pick<VersionStore, 'whileNoneSwitches'>,
  {
    retention,
    now,
    isPublishing = false,
    waitMs,
  }: {
    /** Absent: no version is dropped. */
    readonly retention?: Retention;
    readonly now: number;
    /** Whether the caller holds the publish lock. */
    readonly isPublishing?: boolean;
    /** How long it waits while another process switches; for files it blocks the event loop. */
    readonly waitMs?: number;
  },
): Promise<CollectedGarbage> {
  return store.whileNoneSwitches(async ({ current, replaceCurrent, removeGarbage }) => {
    const before = current();
    const next = retention === undefined ? before : retained(before, retention, now);
    if (next !== before) await replaceCurrent(next);
    return removeGarbage({ onlyKnown: retention === undefined, isPublishing, now });
  }, waitMs);
}

function retained(current: CurrentFile, retention: Retention, now: number): CurrentFile {
  const next = retain(current, retention, now);
  const isSame = Object.entries(next.datasets).every(
    ([name, { kept }]) => kept.length === current.datasets[name]?.kept.length,
  );
  return isSame ? current : next;
}
