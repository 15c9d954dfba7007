import { type AuditOperations, prepareAudit, prepareChanges } from './audit-log.ts';
import type { Clock } from './clock.ts';
import { CONTROL_SCHEMA } from './control-schema.ts';
import { copyDatabase } from './copy-database.ts';
import { explainSqlite } from './explain-sqlite.ts';
import { type FileUse, followFile, type OpenFile } from './followed-file.ts';
import { type GrantOperations, prepareGrants } from './grants.ts';
import { openLastUsedRecorder } from './last-used-recorder.ts';
import { type LimitOperations, prepareLimits } from './limits.ts';
import { type OrganisationOperations, prepareOrganisations } from './organisations.ts';
import type { OpenToOthers } from './private-file.ts';
import type { RandomBytes } from './random-text.ts';
import { type ReservedRoom, reservedRoom } from './reserved-room.ts';
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
  /** Default: `command`. */
  readonly use?: FileUse;
  /** Told of a file that others than its owner could use. Default: nobody is told. */
  readonly onOpenToOthers?: (file: OpenToOthers) => void;
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
    /** Writes all that is in it now to another file. */
    copyTo(path: string): void;
    /** Writes what is still in memory and closes the file. A second call does nothing. */
    close(): void;
  };

/**
 * Opens the control store, the file `control.sqlite` of a data directory. Any number of processes may have
 * it open; what one commits, the others see in their next call. Where another file is moved to its place,
 * such as a backup, that is used from the next call on.
 *
 * Throws a ControlError when the file cannot be created, is something else, is locked, or was
 * written by a newer version; each call throws one when it has come to that.
 */
export function openControlStore(path: string, options: ControlStoreOptions = {}): ControlStore {
  const { use = 'command', onOpenToOthers } = options;
  const room = reservedRoom(path);
  const file = followFile(path, CONTROL_SCHEMA, (opened) => prepare(opened, path, room, options), {
    use,
    room,
    ...(onOpenToOthers === undefined ? {} : { onOpenToOthers }),
  });
  return {
    createOrganisation: (...given) => file.use().createOrganisation(...given),
    listOrganisations: () => file.use().listOrganisations(),
    checkOrganisation: (id) => file.use().checkOrganisation(id),
    createToken: (...given) => file.use().createToken(...given),
    listTokens: (filter) => file.use().listTokens(filter),
    revokeToken: (...given) => file.use().revokeToken(...given),
    rotateToken: (...given) => file.use().rotateToken(...given),
    findCaller: (tokenText) => file.use().findCaller(tokenText),
    addGrant: (...given) => file.use().addGrant(...given),
    listGrants: (filter) => file.use().listGrants(filter),
    removeGrant: (...given) => file.use().removeGrant(...given),
    setLimits: (...given) => file.use().setLimits(...given),
    listLimits: (filter) => file.use().listLimits(filter),
    listAudit: (filter) => file.use().listAudit(filter),
    secret: (name) => file.use().secret(name),
    copyTo: (target) => file.use().copyTo(target),
    close: file.close,
  };
}

/** Everything that is read and written of one file, which ends with it. */
function prepare(
  { database, expectInPlace }: OpenFile,
  path: string,
  room: ReservedRoom,
  {
    clock = Date.now,
    random,
    waitsForLock = true,
    onLastUsedFailed = () => {},
  }: ControlStoreOptions,
): ControlStore {
  const explain = explainSqlite(path, CONTROL_SCHEMA.name);
  const lastUsed = openLastUsedRecorder(path, { expectInPlace, onFailed: onLastUsedFailed });
  const makeChange = prepareChanges(
    { database, expectInPlace },
    { clock, waitsForLock, explain, room },
  );
  const organisations = prepareOrganisations({ database, random, makeChange });
  const parts = { database, clock, random, organisations, makeChange };
  return {
    ...organisations,
    ...prepareTokens({ ...parts, lastUsed }),
    ...prepareGrants(parts),
    ...prepareLimits(parts),
    ...prepareAudit(parts),
    ...prepareSecrets({ database, explain, random }),
    copyTo: (target) => copyDatabase(database, target),
    close() {
      lastUsed.close();
      database.close();
    },
  };
}
