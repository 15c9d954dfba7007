import { type AuditOperations, prepareAudit, prepareChanges } from './audit-log.ts';
import type { Clock } from './clock.ts';
import { type GrantOperations, prepareGrants } from './grants.ts';
import { type LastUsedRecorder, openLastUsedRecorder } from './last-used-recorder.ts';
import { type LimitOperations, prepareLimits } from './limits.ts';
import { openControlDatabase } from './open-control-database.ts';
import { type OrganisationOperations, prepareOrganisations } from './organisations.ts';
import type { RandomBytes } from './random-text.ts';
import { prepareSecrets, type SecretOperations } from './secrets.ts';
import { prepareTokens, type TokenOperations } from './tokens.ts';

export type ControlStoreOptions = {
  /** Default: the clock of the system. */
  readonly clock?: Clock;
  /** Default: `randomBytes` of node:crypto. */
  readonly random?: RandomBytes;
  /**
   * Whether a change waits, with the process standing still, while another process holds the lock.
   * Default: it does. Who serves requests does not, and tries again: see `whenUnlocked`.
   */
  readonly waitsForLock?: boolean;
  /**
   * Told when the time of a token's last use could not be written. The times are kept and written
   * later, so there is nothing to do but to observe it. Default: nobody is told.
   */
  readonly onLastUsedFailed?: (error: unknown) => void;
};

/** What an operator does. Each change is in the audit log; without an actor it is the command line's. */
export type ManagementOperations = OrganisationOperations &
  Omit<TokenOperations, 'findCaller'> &
  GrantOperations &
  LimitOperations &
  AuditOperations;

/**
 * Organisations, their tokens, grants and limits, and the service's secrets. Every time in it is in ms
 * since 1970.
 */
export type ControlStore = ManagementOperations &
  Pick<TokenOperations, 'findCaller'> &
  SecretOperations & {
    /** Writes what is still in memory and closes the file. A second call does nothing. */
    close(): void;
  };

/**
 * Opens the control store, the file `control.sqlite` of a data directory, and creates it when it is
 * absent. Any number of processes may have it open; what one commits, the others see in their next
 * call.
 *
 * Throws a ControlError when the file cannot be created, is something else, is locked, or was
 * written by a newer version.
 */
export function openControlStore(path: string, options: ControlStoreOptions = {}): ControlStore {
  const { clock = Date.now, random, waitsForLock = true, onLastUsedFailed = () => {} } = options;
  const database = openControlDatabase(path);
  const lastUsed: LastUsedRecorder = openLastUsedRecorder(path, onLastUsedFailed);
  const makeChange = prepareChanges(database, { clock, waitsForLock });
  const organisations = prepareOrganisations({ database, random, makeChange });
  const parts = { database, clock, random, organisations, makeChange };
  return {
    ...organisations,
    ...prepareTokens({ ...parts, lastUsed }),
    ...prepareGrants(parts),
    ...prepareLimits(parts),
    ...prepareAudit(parts),
    ...prepareSecrets({ database, random }),
    close() {
      if (!database.isOpen) return;
      lastUsed.close();
      database.close();
    },
  };
}
