import { DEFAULT_SCOPES, type Scope } from '@locmetrics/core/domain/scope';
import { ControlError } from '@locmetrics/core/errors/control-error';
import {
  readInteger,
  readOptionalInteger,
  readOptionalText,
  readText,
  type SqliteRow,
} from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import {
  type KnownCallers,
  prepareCallers,
  type TokenLookup,
  type TokenState,
  tokenState,
} from './callers.ts';
import { checkName } from './check-name.ts';
import { DURATION_MAX_MS, DURATION_MIN_MS } from './duration.ts';
import { type CreatedToken, prepareTokenInsert } from './insert-token.ts';
import type { LastUsedRecorder } from './last-used-recorder.ts';
import { TAKES_AWAY } from './make-change.ts';
import { quoteInput } from './quote-input.ts';
import { checkScopes, readScopes } from './scopes.ts';
import type { StoreParts } from './store-parts.ts';
import { hashToken, isTokenText } from './token-text.ts';

/** The stored data of a token, without its text. */
export type TokenEntry = {
  readonly tokenId: string;
  readonly organisationId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** At the time of the call. A token that is both revoked and expired is `revoked`. */
  readonly state: TokenState;
  readonly created: number;
  /** The time from which it is refused; undefined: never. */
  readonly expires: number | undefined;
  /** Delayed by some seconds; undefined: never used. */
  readonly lastUsed: number | undefined;
  readonly revoked: number | undefined;
  /** The token that replaces it; both work until this one expires. */
  readonly replacedBy: string | undefined;
};

export type RotatedToken = CreatedToken & {
  readonly organisationId: string;
  readonly name: string;
  /** The token that it replaces, and the time from which that one is refused. */
  readonly replaced: { readonly tokenId: string; readonly expires: number };
};

export type RevokedToken = {
  readonly tokenId: string;
  readonly organisationId: string;
  readonly name: string;
  /** When it was revoked; earlier than this call if it already was. */
  readonly revoked: number;
  readonly wasRevokedBefore: boolean;
};

export type TokenOperations = {
  /**
   * Adds a token. `expiresAfterMs` is from 1 second to 100 years; without it the token is valid
   * until it is revoked. Without scopes it has the default ones. Throws a ControlError for an unknown
   * organisation or scope, or an invalid name or duration.
   */
  createToken(
    token: {
      readonly organisationId: string;
      readonly name: string;
      readonly scopes?: readonly string[];
      readonly expiresAfterMs?: number;
    },
    by?: Actor,
  ): CreatedToken;
  /** The tokens of one organisation, or of all, oldest first. */
  listTokens(filter?: { readonly organisationId?: string }): readonly TokenEntry[];
  /** A token by its id or its text. Throws a ControlError if there is no such token. */
  getToken(tokenIdOrText: string): TokenEntry;
  /**
   * Revokes a token by its id or, for example after a leak, by its text. Revoking it again succeeds and
   * returns the first time. Throws a ControlError if there is no such token.
   */
  revokeToken(tokenIdOrText: string, by?: Actor): RevokedToken;
  /**
   * Creates the successor of a token, with the same organisation, name, scopes and duration. The old token
   * ends after the overlap, or earlier if it expires before. Throws a ControlError if there is no such
   * token, or it has ended or was already replaced.
   */
  rotateToken(
    tokenIdOrText: string,
    rotation: { readonly overlapMs: number },
    by?: Actor,
  ): RotatedToken;
  /**
   * Finds the caller of a token, or the reason for a refusal.
   *
   * It asks the file each time whether anything has changed, in about 4 µs, so a revocation applies to the next
   * request in every process. Callers are kept until then, or until the token or a grant ends.
   */
  findCaller(tokenText: string): TokenLookup;
  /**
   * Asks the file whether anything has changed. The result finds the callers that are kept, as `findCaller`
   * would at this moment, and is undefined for tokens of which nothing is kept. Throws as `findCaller` does.
   */
  pollCallers(): KnownCallers;
  /** Finds the caller of the token with this id, for work that goes on after a request. It is no use of the token. */
  findCallerById(tokenId: string): TokenLookup;
};

const COLUMNS = 'id, organisation, name, scopes, created, expires, last_used, revoked, replaced_by';

export function prepareTokens({
  database,
  clock,
  random,
  organisations,
  makeChange,
  rights,
  lastUsed,
  onAllChanged,
}: StoreParts & {
  readonly lastUsed: Pick<LastUsedRecorder, 'record'>;
  readonly onAllChanged: () => void;
}): TokenOperations {
  const insertToken = prepareTokenInsert({ database, random });
  const selectList = database.prepare(
    `SELECT ${COLUMNS} FROM token WHERE organisation = ifnull(?, organisation) ORDER BY created, id`,
  );
  const selectById = database.prepare(`SELECT ${COLUMNS} FROM token WHERE id = ?`);
  const selectIdByHash = database.prepare('SELECT id FROM token WHERE hash = ?');
  const updateRevoked = database.prepare(
    'UPDATE token SET revoked = ? WHERE id = ? AND revoked IS NULL',
  );
  const updateReplaced = database.prepare(
    'UPDATE token SET expires = ?, replaced_by = ? WHERE id = ?',
  );

  function findId(tokenText: string): string | undefined {
    const row = selectIdByHash.get(hashToken(tokenText));
    return row === undefined ? undefined : readText(row, 'id');
  }

  function findEntry(tokenIdOrText: string): TokenEntry {
    const isText = isTokenText(tokenIdOrText);
    const tokenId = isText ? findId(tokenIdOrText) : tokenIdOrText;
    if (tokenId !== undefined) rights.checkRow('token', tokenId);
    const row = tokenId === undefined ? undefined : selectById.get(tokenId);
    if (row !== undefined) return toEntry(row, clock());
    if (isText) throw unknownTokenText();
    throw unknownTokenId(tokenIdOrText);
  }

  return {
    createToken({ organisationId, name, scopes: wanted = DEFAULT_SCOPES, expiresAfterMs }, by) {
      const checkedName = checkName(name, 'token');
      const scopes = checkScopes(wanted);
      checkExpiresAfter(expiresAfterMs);
      organisations.checkOrganisation(organisationId);
      return makeChange(by, (created) => {
        const expires = expiresAfterMs === undefined ? undefined : created + expiresAfterMs;
        const token = { organisationId, name: checkedName, scopes, created, expires };
        const result = insertToken(token);
        const { tokenId: subject } = result;
        const details = { name: checkedName, scopes, expires };
        return { result, change: { action: 'token.create', organisationId, subject, details } };
      });
    },

    listTokens({ organisationId } = {}) {
      if (organisationId !== undefined) organisations.checkOrganisation(organisationId);
      rights.checkRows('token', organisationId);
      const now = clock();
      return selectList.all(organisationId ?? null).map((row) => toEntry(row, now));
    },

    getToken: findEntry,

    revokeToken(tokenIdOrText, by) {
      return makeChange(
        by,
        (now) => {
          const { tokenId, organisationId, name, revoked } = findEntry(tokenIdOrText);
          const wasRevokedBefore = revoked !== undefined;
          const result = {
            tokenId,
            organisationId,
            name,
            revoked: revoked ?? now,
            wasRevokedBefore,
          };
          if (wasRevokedBefore) return { result };
          updateRevoked.run(now, tokenId);
          const details = { name };
          return {
            result,
            change: { action: 'token.revoke', organisationId, subject: tokenId, details },
          };
        },
        TAKES_AWAY,
      );
    },

    rotateToken(tokenIdOrText, { overlapMs }, by) {
      checkOverlap(overlapMs);
      return makeChange(by, (now) => {
        const old = findEntry(tokenIdOrText);
        checkCanRotate(old);
        const { organisationId, name, scopes, tokenId: replacedId } = old;
        const oldEnd = Math.min(now + overlapMs, old.expires ?? Number.POSITIVE_INFINITY);
        const expires = old.expires === undefined ? undefined : now + old.expires - old.created;
        const created = insertToken({ organisationId, name, scopes, created: now, expires });
        updateReplaced.run(oldEnd, created.tokenId, replacedId);
        const replaced = { tokenId: replacedId, expires: oldEnd };
        const details = { name, scopes, expires, replaced };
        return {
          result: { ...created, organisationId, name, replaced },
          change: { action: 'token.rotate', organisationId, subject: created.tokenId, details },
        };
      });
    },

    ...prepareCallers({ database, clock, rights, lastUsed, onAllChanged }),
  };
}

function checkExpiresAfter(expiresAfterMs: number | undefined): void {
  if (expiresAfterMs === undefined) return;
  const isInRange = expiresAfterMs >= DURATION_MIN_MS && expiresAfterMs <= DURATION_MAX_MS;
  if (isInRange && Number.isSafeInteger(expiresAfterMs)) return;
  throw new ControlError(
    `A token cannot expire after ${expiresAfterMs} ms.`,
    'Choose a duration from 1 second to 100 years, in whole milliseconds.',
    { reason: 'INVALID_REQUEST', pointer: '/expiresAfter' },
  );
}

function checkOverlap(overlapMs: number): void {
  if (Number.isSafeInteger(overlapMs) && overlapMs >= 0 && overlapMs <= DURATION_MAX_MS) return;
  throw new ControlError(
    `Two tokens cannot overlap for ${overlapMs} ms.`,
    'Choose a duration from 0 seconds to 100 years, in whole milliseconds.',
    { reason: 'INVALID_REQUEST', pointer: '/overlap' },
  );
}

/** A token has one successor: if two callers rotate it at the same time, the second gets an error. */
function checkCanRotate({ tokenId, state, replacedBy }: TokenEntry): void {
  const reason = 'TOKEN_ENDED';
  if (replacedBy !== undefined) {
    throw new ControlError(
      `The token ${tokenId} was replaced by ${replacedBy}.`,
      `Rotate ${replacedBy} instead.`,
      { reason },
    );
  }
  if (state === 'active') return;
  throw new ControlError(
    state === 'revoked' ? `The token ${tokenId} is revoked.` : `The token ${tokenId} has expired.`,
    'A token that has ended cannot be rotated: create a new one.',
    { reason },
  );
}

/** Never with the text itself: it may be a real token that is known elsewhere. */
function unknownTokenText(): ControlError {
  return new ControlError(
    'The token is well-formed, but not one of this control store.',
    'Check the data directory.',
    { reason: 'TOKEN_NOT_FOUND' },
  );
}

/** No similar id is suggested: a token that is revoked or rotated by mistake does not come back. */
function unknownTokenId(tokenId: string): ControlError {
  if (tokenId.trim().startsWith('lm_')) {
    return new ControlError(
      'The text starts like a token, but its length or checksum is wrong.',
      'Give the whole token, or its id. List the tokens to see their ids.',
      { reason: 'TOKEN_NOT_FOUND' },
    );
  }
  return new ControlError(
    `Unknown token id ${quoteInput(tokenId)}.`,
    'List the tokens to see their ids.',
    { reason: 'TOKEN_NOT_FOUND' },
  );
}

function toEntry(row: SqliteRow, now: number): TokenEntry {
  return {
    tokenId: readText(row, 'id'),
    organisationId: readText(row, 'organisation'),
    name: readText(row, 'name'),
    scopes: readScopes(readText(row, 'scopes')),
    state: tokenState(row, now),
    created: readInteger(row, 'created'),
    expires: readOptionalInteger(row, 'expires'),
    lastUsed: readOptionalInteger(row, 'last_used'),
    revoked: readOptionalInteger(row, 'revoked'),
    replacedBy: readOptionalText(row, 'replaced_by'),
  };
}
