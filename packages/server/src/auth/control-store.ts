import { copyDatabase } from '../sqlite/copy-database.ts';
import { explainSqlite } from '../sqlite/explain-sqlite.ts';
import { type FileUse, followFile, type OpenFile } from '../sqlite/followed-file.ts';
import type { OpenToOthers } from '../sqlite/private-file.ts';
import { type ReservedRoom, reservedRoom } from '../sqlite/reserved-room.ts';
import { type AuditOperations, prepareAudit } from './audit-log.ts';
import type { Clock } from './clock.ts';
import { CONTROL_SCHEMA } from './control-schema.ts';
import { type GrantOperations, prepareGrants } from './grants.ts';
import { openLastUsedRecorder } from './last-used-recorder.ts';
import { type LimitOperations, prepareLimits } from './limits.ts';
import { prepareChanges } from './make-change.ts';
import { type OrganisationOperations, prepareOrganisations } from './organisations.ts';
import type { RandomBytes } from './random-text.ts';
import { prepareSecrets, type SecretOperations } from './secrets.ts';
import { prepareSignInLinks, type SignInLinkOperations } from './sign-in-links.ts';
import { prepareTokens, type TokenOperations } from './tokens.ts';
import { prepareVersionChanges, type VersionChangeOperations } from './version-changes.ts';

export type ControlStoreOptions = {
  /** Default: the clock of the system. */
  readonly clock?: Clock;
  /** Default: `randomBytes` of node:crypto. */
  readonly random?: RandomBytes;
  /**
   * Whether a change blocks the process while another process holds the lock. Default: true. A serving
   * process does not block but retries: see `whenUnlocked`.
   */
  readonly waitsForLock?: boolean;
  /**
   * Called when the time of a token's last use could not be written. The times are kept and written
   * later, so this only needs to be observed. Default: ignored.
   */
  readonly onLastUsedFailed?: (error: unknown) => void;
  /** Default: `command`. */
  readonly use?: FileUse;
  /** Called for a file that was accessible to other users than its owner. Default: ignored. */
  readonly onOpenToOthers?: (file: OpenToOthers) => void;
};

/** The management operations. Each change is logged; the default actor is the user of the command line. */
export type ManagementOperations = OrganisationOperations &
  Omit<TokenOperations, 'findCaller' | 'lookAtCallers'> &
  SignInLinkOperations &
  GrantOperations &
  LimitOperations &
  VersionChangeOperations &
  AuditOperations;

/**
 * Organisations, their tokens, grants and limits, and the secrets of the service. All times are in ms since
 * 1970.
 */
export type ControlStore = ManagementOperations &
  Pick<TokenOperations, 'findCaller' | 'lookAtCallers'> &
  SecretOperations & {
    /** Writes all that is in it now to another file. */
    copyTo(path: string): void;
    /** Writes what is still in memory and closes the file. A second call does nothing. */
    close(): void;
  };

/**
 * Opens the control store, the file `control.sqlite` of a data directory. Any number of processes may have
 * it open; each sees the commits of the others in its next call. If another file is moved to its path, for
 * example a backup, that file is used from the next call on.
 *
 * Throws a ControlError if the file cannot be created, is not a control store, is locked, or was written
 * by a newer version. Each call throws it when this happens later.
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
    suspendOrganisation: (...given) => file.use().suspendOrganisation(...given),
    resumeOrganisation: (...given) => file.use().resumeOrganisation(...given),
    checkOrganisation: (id) => file.use().checkOrganisation(id),
    getOrganisation: (id) => file.use().getOrganisation(id),
    createToken: (...given) => file.use().createToken(...given),
    listTokens: (filter) => file.use().listTokens(filter),
    getToken: (id) => file.use().getToken(id),
    revokeToken: (...given) => file.use().revokeToken(...given),
    rotateToken: (...given) => file.use().rotateToken(...given),
    findCaller: (tokenText) => file.use().findCaller(tokenText),
    lookAtCallers: () => file.use().lookAtCallers(),
    createSignInLink: (...given) => file.use().createSignInLink(...given),
    signIn: (code) => file.use().signIn(code),
    addGrant: (...given) => file.use().addGrant(...given),
    checkNewGrant: (...given) => file.use().checkNewGrant(...given),
    listGrants: (filter) => file.use().listGrants(filter),
    removeGrant: (...given) => file.use().removeGrant(...given),
    setLimits: (...given) => file.use().setLimits(...given),
    listLimits: (filter) => file.use().listLimits(filter),
    recordVersionChanges: (...given) => file.use().recordVersionChanges(...given),
    listAudit: (filter) => file.use().listAudit(filter),
    secret: (name) => file.use().secret(name),
    copyTo: (target) => file.use().copyTo(target),
    close: file.close,
  };
}

/** The operations on one opened file; they end when it is closed. */
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
    ...prepareSignInLinks(parts),
    ...prepareGrants(parts),
    ...prepareLimits(parts),
    ...prepareVersionChanges(parts),
    ...prepareAudit(parts),
    ...prepareSecrets({ database, explain, random }),
    copyTo: (target) => copyDatabase(database, target),
    close() {
      lastUsed.close();
      database.close();
    },
  };
}
