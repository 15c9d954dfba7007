import { explainSqlite } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import type { OpenFile } from '@locmetrics/data-directory/sqlite/followed-file';
import { type AuditOperations, prepareAudit } from './audit-log.ts';
import { prepareRightsCheck } from './check-rights.ts';
import type { Clock } from './clock.ts';
import { CONTROL_SCHEMA } from './control-schema.ts';
import { type DamageOperations, prepareDamage } from './find-damaged-rows.ts';
import { type GrantOperations, prepareGrants } from './grants.ts';
import { openLastUsedRecorder } from './last-used-recorder.ts';
import { type LimitOperations, prepareLimits } from './limits.ts';
import type { MakeChange } from './make-change.ts';
import { type OrganisationOperations, prepareOrganisations } from './organisations.ts';
import type { RandomBytes } from './random-text.ts';
import { prepareSecrets, type SecretOperations } from './secrets.ts';
import { prepareSignInLinks, type SignInLinkOperations } from './sign-in-links.ts';
import { prepareTokens, type TokenOperations } from './tokens.ts';
import { prepareVersionChanges, type VersionChangeOperations } from './version-changes.ts';

/** All operations on a file with the tables of the control store. */
export type ControlOperations = OrganisationOperations &
  TokenOperations &
  SignInLinkOperations &
  GrantOperations &
  LimitOperations &
  VersionChangeOperations &
  AuditOperations &
  DamageOperations &
  SecretOperations;

/** The operations on one opened file; they end when it is closed. */
export function prepareOperations(
  { database, expectInPlace }: OpenFile,
  path: string,
  {
    makeChange,
    clock = Date.now,
    random,
    makesSecrets = true,
    onLastUsedFailed = () => {},
  }: {
    readonly makeChange: MakeChange;
    readonly clock?: Clock;
    readonly random?: RandomBytes;
    /** Whether a secret that is missing is made when it is read. Default: true. */
    readonly makesSecrets?: boolean;
    readonly onLastUsedFailed?: (error: unknown) => void;
  },
): ControlOperations & {
  /** Writes the times of last use that are still in memory. */
  readonly close: () => void;
} {
  const explain = explainSqlite(path, CONTROL_SCHEMA.name);
  const lastUsed = openLastUsedRecorder(path, { expectInPlace, onFailed: onLastUsedFailed });
  const rights = prepareRightsCheck(database);
  const organisations = prepareOrganisations({ database, random, makeChange, rights });
  const { forgetSecrets, ...secrets } = prepareSecrets({
    database,
    explain,
    clock,
    random,
    rights,
    makesSecrets,
    makeChange,
  });
  const parts = { database, clock, random, organisations, makeChange, rights };
  return {
    ...organisations,
    ...prepareTokens({ ...parts, lastUsed, onAllChanged: forgetSecrets }),
    ...prepareSignInLinks(parts),
    ...prepareGrants(parts),
    ...prepareLimits(parts),
    ...prepareVersionChanges(parts),
    ...prepareAudit(parts),
    ...prepareDamage(parts),
    ...secrets,
    close: lastUsed.close,
  };
}

type Reads = Pick<
  ControlOperations,
  | 'listOrganisations'
  | 'checkOrganisation'
  | 'getOrganisation'
  | 'listTokens'
  | 'getToken'
  | 'findCaller'
  | 'pollCallers'
  | 'findCallerById'
  | 'checkNewGrant'
  | 'listGrants'
  | 'listLimits'
  | 'listAudit'
  | 'secret'
  | 'wasReplaced'
  | 'findDamagedRows'
>;

/** The operations that only read, each on the file that is open when it is called. */
export function readsOf(use: () => Reads): Reads {
  return {
    listOrganisations: () => use().listOrganisations(),
    checkOrganisation: (id) => use().checkOrganisation(id),
    getOrganisation: (id) => use().getOrganisation(id),
    listTokens: (filter) => use().listTokens(filter),
    getToken: (id) => use().getToken(id),
    findCaller: (tokenText) => use().findCaller(tokenText),
    pollCallers: () => use().pollCallers(),
    findCallerById: (tokenId) => use().findCallerById(tokenId),
    checkNewGrant: (...given) => use().checkNewGrant(...given),
    listGrants: (filter) => use().listGrants(filter),
    listLimits: (filter) => use().listLimits(filter),
    listAudit: (filter) => use().listAudit(filter),
    secret: (name) => use().secret(name),
    wasReplaced: (name) => use().wasReplaced(name),
    findDamagedRows: (place) => use().findDamagedRows(place),
  };
}
