import { hash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Caller } from '@locmetrics/core/domain/caller';
import { keepNewest } from '@locmetrics/core/runtime/memoize';
import {
  readInteger,
  readOptionalInteger,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { RightsCheck } from './check-rights.ts';
import type { Clock } from './clock.ts';
import type { LastUsedRecorder } from './last-used-recorder.ts';
import { CONTENT_CHANGED, RightsDamagedError, ROW_MISSING } from './rights-damaged-error.ts';
import { keepRights } from './rights-keeper.ts';
import { isWholeSql, rightsTable } from './rights-table.ts';
import { CHECKSUM_MASK } from './row-checksum.ts';
import { readScopes } from './scopes.ts';
import { hashToken, isTokenText } from './token-text.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

/** `suspended`: the token is valid, but its organisation is suspended. */
export type TokenRefusal = 'malformed' | 'unknown' | 'expired' | 'revoked' | 'suspended';

export type TokenLookup =
  | { readonly isAccepted: true; readonly caller: Caller }
  | ({ readonly isAccepted: false } & Refused);

/** The size of the cache of callers; the oldest ones are dropped. */
const KEPT_MAX = 20_000;

/** A caller, and when its token, or one of its grants, ends or begins. */
type KeptCaller = { readonly caller: Caller; readonly until: number };

/** Finds the callers that were known at a poll, without another one; undefined for all other tokens. */
export type KnownCallers = (tokenText: string) => TokenLookup | undefined;

export type Callers = {
  readonly findCaller: (tokenText: string) => TokenLookup;
  readonly pollCallers: () => KnownCallers;
  readonly findCallerById: (tokenId: string) => TokenLookup;
};

/**
 * Finds callers by their tokens. Only accepted ones are kept, by the hash of the token, and only until
 * `caller_change` names their token or organisation: triggers of the file write there, whatever process changes it.
 */
export function prepareCallers({
  database,
  clock,
  rights,
  lastUsed,
  onAllChanged,
}: {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly rights: RightsCheck;
  readonly lastUsed: Pick<LastUsedRecorder, 'record'>;
  /** Called when everything in the file may have changed. */
  readonly onAllChanged: () => void;
}): Callers {
  const readChanges = prepareChanges(database);
  const { byHash, byId } = prepareReading(database, rights);
  const kept = new Map<string, KeptCaller>();
  const poll = (): void => {
    const changes = readChanges();
    if (changes === undefined) {
      kept.clear();
      onAllChanged();
    } else if (changes.length > 0) drop(kept, changes);
  };
  const accept = ({ caller }: KeptCaller, now: number): TokenLookup => {
    lastUsed.record(caller.tokenId, now);
    return { isAccepted: true, caller };
  };
  return {
    findCaller: (tokenText) => {
      const now = clock();
      const key = keyOf(tokenText);
      // If the file changes after the poll, what is read then is read again with the next request.
      poll();
      const known = kept.get(key);
      if (known !== undefined && now < known.until) return accept(known, now);
      if (!isTokenText(tokenText)) return MALFORMED;
      const found = byHash(hashToken(tokenText), now);
      if ('refusal' in found) return { isAccepted: false, ...found };
      keepNewest(kept, { key, value: found }, KEPT_MAX);
      return accept(found, now);
    },
    pollCallers: () => {
      poll();
      return (tokenText) => {
        const now = clock();
        const known = kept.get(keyOf(tokenText));
        return known !== undefined && now < known.until ? accept(known, now) : undefined;
      };
    },
    findCallerById: (tokenId) => {
      poll();
      const found = byId(tokenId, clock());
      return 'refusal' in found
        ? { isAccepted: false, ...found }
        : { isAccepted: true, caller: found.caller };
    },
  };
}

function keyOf(tokenText: string): string {
  return hash('sha256', tokenText, 'base64url');
}

const MALFORMED: TokenLookup = { isAccepted: false, refusal: 'malformed', tokenId: undefined };

/** Drops the callers of changed tokens and organisations. */
function drop(kept: Map<string, KeptCaller>, changes: readonly SqliteRow[]): void {
  const tokens = new Set(changes.map(({ token }) => token));
  const organisations = new Set(changes.map(({ organisation }) => organisation));
  for (const [key, { caller }] of kept) {
    if (tokens.has(caller.tokenId) || organisations.has(caller.organisationId)) kept.delete(key);
  }
}

const NO_CHANGES: readonly SqliteRow[] = [];

/** Reads what has changed since it was called before; undefined if some of it is no longer there. */
function prepareChanges(database: DatabaseSync): () => readonly SqliteRow[] | undefined {
  const selectLast = database.prepare('SELECT max(number) AS number FROM caller_change');
  const selectSince = database.prepare(
    'SELECT * FROM caller_change WHERE number > ? ORDER BY number',
  );
  const lastNumber = (): number => readOptionalInteger(selectLast.get() ?? {}, 'number') ?? 0;
  let seen = lastNumber();
  return () => {
    const last = lastNumber();
    if (last === seen) return NO_CHANGES;
    const changes = selectSince.all(seen);
    const isWhole = changes[0]?.['number'] === seen + 1;
    // Only now: changes that cannot be read must be read with the next request.
    seen = last;
    return isWhole ? changes : undefined;
  };
}

type Refused =
  | {
      readonly refusal: Exclude<TokenRefusal, 'expired' | 'suspended'>;
      /** Only for a token that exists. */
      readonly tokenId: string | undefined;
    }
  | { readonly refusal: 'expired'; readonly tokenId: string; readonly expires: number }
  | { readonly refusal: 'suspended'; readonly tokenId: string; readonly organisationId: string };

function prepareReading(
  database: DatabaseSync,
  check: RightsCheck,
): { readonly byHash: ReadCaller; readonly byId: ReadCaller } {
  const rightsOf = keepRights(database, check);
  return {
    byHash: prepareReadingBy('hash', { database, rightsOf }),
    byId: prepareReadingBy('id', { database, rightsOf }),
  };
}

type ReadCaller = (value: string | Uint8Array, now: number) => KeptCaller | Refused;

function prepareReadingBy(
  column: 'hash' | 'id',
  {
    database,
    rightsOf,
  }: { readonly database: DatabaseSync; readonly rightsOf: ReturnType<typeof keepRights> },
): ReadCaller {
  // The constant row on the left side makes the query for an unknown token return a row too, so that
  // the response time reveals no more than the message.
  const selectCaller = database.prepare(
    `WITH found AS MATERIALIZED (
       SELECT token.id, token.organisation, organisation.id AS known,
         ${isWholeSql(rightsTable('token'))} AS is_token_whole,
         ${isWholeSql(rightsTable('organisation'))} AS is_organisation_whole,
         scopes, expires, revoked, suspended,
         rights_version & ${CHECKSUM_MASK} AS rights_version
       FROM (SELECT 1) LEFT JOIN token ON token.${column} = ?
       LEFT JOIN organisation ON organisation.id = token.organisation)
     SELECT id, organisation, known, is_token_whole, is_organisation_whole, rights_version,
       iif(is_token_whole, scopes, NULL) AS scopes,
       iif(is_token_whole, expires, NULL) AS expires,
       iif(is_token_whole, revoked, NULL) AS revoked,
       iif(is_organisation_whole, suspended, NULL) AS suspended
     FROM found`,
  );
  return (value, now) => {
    const row = selectCaller.get(value) ?? {};
    if (row['id'] === null) return { refusal: 'unknown', tokenId: undefined };
    const tokenId = readText(row, 'id');
    const organisationId = readText(row, 'organisation');
    if (row['is_token_whole'] !== 1) {
      const token = { table: 'token', rowId: tokenId, organisationId } as const;
      throw new RightsDamagedError({ ...token, problem: CONTENT_CHANGED });
    }
    const state = tokenState(row, now);
    if (state === 'expired') {
      return { refusal: state, tokenId, expires: readInteger(row, 'expires') };
    }
    if (state === 'revoked') return { refusal: state, tokenId };
    if (row['is_organisation_whole'] !== 1) {
      const problem = row['known'] === null ? ROW_MISSING : CONTENT_CHANGED;
      const organisation = {
        table: 'organisation',
        rowId: organisationId,
        organisationId,
      } as const;
      throw new RightsDamagedError({ ...organisation, problem });
    }
    if (readOptionalInteger(row, 'suspended') !== undefined) {
      return { refusal: 'suspended', tokenId, organisationId };
    }
    const { rights, until } = rightsOf(organisationId, readInteger(row, 'rights_version'), now);
    const scopes = readScopes(readText(row, 'scopes'));
    const expires = readOptionalInteger(row, 'expires') ?? Number.POSITIVE_INFINITY;
    return {
      caller: { organisationId, tokenId, scopes, rights },
      until: Math.min(until, expires),
    };
  };
}

export function tokenState(row: SqliteRow, now: number): TokenState {
  if (readOptionalInteger(row, 'revoked') !== undefined) return 'revoked';
  const expires = readOptionalInteger(row, 'expires');
  return expires !== undefined && now >= expires ? 'expired' : 'active';
}
