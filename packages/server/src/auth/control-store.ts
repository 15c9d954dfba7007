import type { Clock } from './clock.ts';
import { type LastUsedRecorder, openLastUsedRecorder } from './last-used-recorder.ts';
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
   * Told when the time of a token's last use could not be written. The times are kept and written
   * later, so there is nothing to do but to observe it. Default: nobody is told.
   */
  readonly onLastUsedFailed?: (error: unknown) => void;
};

/** Organisations, their tokens and the service's secrets. Every time in it is in ms since 1970. */
export type ControlStore = OrganisationOperations &
  TokenOperations &
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
  const { clock = Date.now, random, onLastUsedFailed = () => {} } = options;
  const database = openControlDatabase(path);
  const lastUsed: LastUsedRecorder = openLastUsedRecorder(path, onLastUsedFailed);
  const organisations = prepareOrganisations({ database, clock, random });
  return {
    ...organisations,
    ...prepareTokens({ database, clock, random, organisations, lastUsed }),
    ...prepareSecrets({ database, random }),
    close() {
      if (!database.isOpen) return;
      lastUsed.close();
      database.close();
    },
  };
}
