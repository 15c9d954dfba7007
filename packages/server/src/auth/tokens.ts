import type { DatabaseSync } from 'node:sqlite';
import type { Caller } from '../domain/caller.ts';
import { wholeGrant } from '../domain/grant.ts';
import { nearestName } from '../domain/nearest-name.ts';
import { createRights, type Rights } from '../domain/rights.ts';
import { DEFAULT_SCOPES } from '../domain/scope.ts';
import { checkName } from './check-name.ts';
import type { Clock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { DURATION_MAX_MS, DURATION_MIN_MS } from './duration.ts';
import type { LastUsedRecorder } from './last-used-recorder.ts';
import type { OrganisationOperations } from './organisations.ts';
import { quoteInput } from './quote-input.ts';
import { BASE32, type RandomBytes, randomText } from './random-text.ts';
import { explainBusy } from './sqlite-busy.ts';
import { readInteger, readOptionalInteger, readText, type SqliteRow } from './sqlite-row.ts';
import { createTokenText, hashToken, isTokenText } from './token-text.ts';

export type TokenState = 'active' | 'expired' | 'revoked';

/** What is known of a token; its text is not. */
export type TokenEntry = {
  readonly tokenId: string;
  readonly organisationId: string;
  readonly name: string;
  /** At the time of the list. A token both revoked and expired is `revoked`. */
  readonly state: TokenState;
  readonly created: number;
  /** The first moment at which it is refused; undefined: never. */
  readonly expires: number | undefined;
  /** Some seconds behind; undefined: never used. */
  readonly lastUsed: number | undefined;
  readonly revoked: number | undefined;
};

export type CreatedToken = {
  /** Shown once: it is kept nowhere. */
  readonly tokenText: string;
  readonly tokenId: string;
  readonly expires: number | undefined;
};

export type RevokedToken = {
  readonly tokenId: string;
  readonly organisationId: string;
  readonly name: string;
  /** When it was revoked, which is earlier when it already was. */
  readonly revoked: number;
  readonly wasRevokedBefore: boolean;
};

export type TokenRefusal = 'malformed' | 'unknown' | 'expired' | 'revoked';

export type TokenLookup =
  | { readonly isAccepted: true; readonly caller: Caller }
  | {
      readonly isAccepted: false;
      readonly refusal: TokenRefusal;
      /** Known only of a token that exists. */
      readonly tokenId: string | undefined;
    };

export type TokenOperations = {
  /**
   * Adds a token. `expiresAfterMs` is from 1 second to 100 years; without it the token is valid
   * until it is revoked. Throws a ControlError for an unknown organisation, a bad name or duration.
   */
  createToken(token: {
    readonly organisationId: string;
    readonly name: string;
    readonly expiresAfterMs?: number;
  }): CreatedToken;
  /** The tokens of one organisation, or of all, the oldest first. */
  listTokens(filter?: { readonly organisationId?: string }): readonly TokenEntry[];
  /**
   * Revokes a token, given by its id or, as after a leak, by its text. To revoke it again succeeds
   * and says when it was revoked. Throws a ControlError when there is no such token.
   */
  revokeToken(tokenIdOrText: string): RevokedToken;
  /**
   * Whose token this is, or why it is refused.
   *
   * It asks the file each time. That takes some 6 µs and makes a revocation count from the next
   * request on in every process; a cache would save part of it and let a revoked token live on.
   */
  findCaller(tokenText: string): TokenLookup;
};

/** 60 random bits: short enough to type, and unlikely to come twice. */
const TOKEN_ID_LENGTH = 12;

const COLUMNS = 'id, organisation, name, created, expires, last_used, revoked';

export function prepareTokens({
  database,
  clock,
  random,
  organisations,
  lastUsed,
}: {
  readonly database: DatabaseSync;
  readonly clock: Clock;
  readonly random: RandomBytes | undefined;
  readonly organisations: Pick<OrganisationOperations, 'checkOrganisation'>;
  readonly lastUsed: Pick<LastUsedRecorder, 'record'>;
}): TokenOperations {
  const insert = database.prepare(
    'INSERT INTO token (id, organisation, name, hash, created, expires) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const selectList = database.prepare(
    `SELECT ${COLUMNS} FROM token WHERE organisation = ifnull(?, organisation) ORDER BY created, id`,
  );
  const selectById = database.prepare(`SELECT ${COLUMNS} FROM token WHERE id = ?`);
  const selectByHash = database.prepare(`SELECT ${COLUMNS} FROM token WHERE hash = ?`);
  const updateRevoked = database.prepare(
    'UPDATE token SET revoked = ? WHERE id = ? AND revoked IS NULL',
  );
  // The row of the left side makes an unknown token take the way of a known one: a row is made and
  // read for it too, so that the time tells no more than the message does.
  const selectCaller = database.prepare(
    `SELECT token.id, organisation, expires, revoked
     FROM (SELECT 1) LEFT JOIN token ON hash = ?`,
  );

  const kept = new Map<string, Rights>();
  function rightsOf(organisationId: string): Rights {
    let rights = kept.get(organisationId);
    if (rights === undefined) {
      rights = createRights({ organisationId, grants: [wholeGrant('everything', '*')] });
      kept.set(organisationId, rights);
    }
    return rights;
  }

  function findEntry(tokenIdOrText: string): TokenEntry {
    const isText = isTokenText(tokenIdOrText);
    const row = isText ? selectByHash.get(hashToken(tokenIdOrText)) : selectById.get(tokenIdOrText);
    if (row !== undefined) return toEntry(row, clock());
    if (isText) throw unknownTokenText();
    throw unknownTokenId(
      tokenIdOrText,
      selectList.all(null).map((entry) => readText(entry, 'id')),
    );
  }

  return {
    createToken({ organisationId, name, expiresAfterMs }) {
      const checkedName = checkName(name, 'token');
      checkExpiresAfter(expiresAfterMs);
      organisations.checkOrganisation(organisationId);
      const tokenText = createTokenText(random);
      const tokenId = randomText({ alphabet: BASE32, length: TOKEN_ID_LENGTH, random });
      const created = clock();
      const expires = expiresAfterMs === undefined ? undefined : created + expiresAfterMs;
      const hash = hashToken(tokenText);
      explainBusy(() =>
        insert.run(tokenId, organisationId, checkedName, hash, created, expires ?? null),
      );
      return { tokenText, tokenId, expires };
    },

    listTokens({ organisationId } = {}) {
      if (organisationId !== undefined) organisations.checkOrganisation(organisationId);
      const now = clock();
      return selectList.all(organisationId ?? null).map((row) => toEntry(row, now));
    },

    revokeToken(tokenIdOrText) {
      const { tokenId } = findEntry(tokenIdOrText);
      const now = clock();
      const { changes } = explainBusy(() => updateRevoked.run(now, tokenId));
      // Read again: another process may have been faster, and its time is the one that counts.
      const entry = findEntry(tokenId);
      return {
        tokenId,
        organisationId: entry.organisationId,
        name: entry.name,
        revoked: entry.revoked ?? now,
        wasRevokedBefore: changes === 0,
      };
    },

    findCaller(tokenText) {
      if (!isTokenText(tokenText)) return refuse('malformed');
      const row = selectCaller.get(hashToken(tokenText)) ?? {};
      if (row['id'] === null) return refuse('unknown');
      const tokenId = readText(row, 'id');
      const now = clock();
      const state = tokenState(row, now);
      if (state !== 'active') return refuse(state, tokenId);
      lastUsed.record(tokenId, now);
      const organisationId = readText(row, 'organisation');
      const rights = rightsOf(organisationId);
      return {
        isAccepted: true,
        caller: { organisationId, tokenId, scopes: DEFAULT_SCOPES, rights },
      };
    },
  };
}

function checkExpiresAfter(expiresAfterMs: number | undefined): void {
  if (expiresAfterMs === undefined) return;
  const isInRange = expiresAfterMs >= DURATION_MIN_MS && expiresAfterMs <= DURATION_MAX_MS;
  if (isInRange && Number.isSafeInteger(expiresAfterMs)) return;
  throw new ControlError(
    `A token cannot expire after ${expiresAfterMs} ms.`,
    'Choose a duration from 1 second to 100 years, in whole milliseconds.',
  );
}

/** Never with the text itself: it may be a real token that is known elsewhere. */
function unknownTokenText(): ControlError {
  return new ControlError(
    'The token is well-formed, but not one of this control store.',
    'Check the data directory.',
  );
}

function unknownTokenId(tokenId: string, known: readonly string[]): ControlError {
  if (tokenId.trim().startsWith('lm_')) {
    return new ControlError(
      'The text begins like a token, but its length or checksum is wrong.',
      'Give the whole token, or its id; the list of tokens has the ids.',
    );
  }
  const nearest = nearestName(tokenId, known);
  return new ControlError(
    `Unknown token id ${quoteInput(tokenId)}.`,
    nearest === undefined ? 'The list of tokens has the ids.' : `Did you mean '${nearest}'?`,
  );
}

function toEntry(row: SqliteRow, now: number): TokenEntry {
  return {
    tokenId: readText(row, 'id'),
    organisationId: readText(row, 'organisation'),
    name: readText(row, 'name'),
    state: tokenState(row, now),
    created: readInteger(row, 'created'),
    expires: readOptionalInteger(row, 'expires'),
    lastUsed: readOptionalInteger(row, 'last_used'),
    revoked: readOptionalInteger(row, 'revoked'),
  };
}

function tokenState(row: SqliteRow, now: number): TokenState {
  if (readOptionalInteger(row, 'revoked') !== undefined) return 'revoked';
  const expires = readOptionalInteger(row, 'expires');
  return expires !== undefined && now >= expires ? 'expired' : 'active';
}

function refuse(refusal: TokenRefusal, tokenId?: string): TokenLookup {
  return { isAccepted: false, refusal, tokenId };
}
