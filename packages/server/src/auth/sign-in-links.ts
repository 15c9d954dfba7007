import { DEFAULT_SCOPES, type Scope } from '@locmetrics/core/domain/scope';
import { ControlError } from '@locmetrics/core/errors/control-error';
import { readText } from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import { prepareTokenInsert } from './insert-token.ts';
import { BASE32, BASE62, randomText } from './random-text.ts';
import { checkScopes, readScopes, writeScopes } from './scopes.ts';
import type { StoreParts } from './store-parts.ts';
import { hashToken } from './token-text.ts';

/** A link that opens the explorer signed in, once. */
export type SignInLink = {
  readonly linkId: string;
  /** Shown only once, because it is not stored. */
  readonly code: string;
  readonly scopes: readonly Scope[];
  readonly expires: number;
};

export type SignedIn = {
  /** Shown only once, because it is not stored. */
  readonly tokenText: string;
  readonly expires: number;
};

export type SignInLinkOperations = {
  /**
   * Makes a link for an organisation. By default its code works for 10 minutes, and the scopes are the default
   * ones. Throws a ControlError for an unknown organisation or scope.
   */
  createSignInLink(
    link: {
      readonly organisationId: string;
      readonly scopes?: readonly string[];
      readonly expiresAfterMs?: number;
    },
    by?: Actor,
  ): SignInLink;
  /**
   * Uses the code of a link, and creates a token of 12 hours with the organisation and the scopes of the link.
   * Of several processes that use a code at the same time, one succeeds. Throws a ControlError, the same
   * for a code that was used, has expired or never existed.
   */
  signIn(code: string): SignedIn;
};

const LINK_LIFETIME_MS = 10 * 60_000;
const TOKEN_LIFETIME_MS = 12 * 3_600_000;
const TOKEN_NAME = 'explorer';

/** Unused links beyond this number are removed, the oldest first. */
const LINKS_MAX = 100;

const LINK_ID_LENGTH = 12;
/** 178 random bits, as many as in a token. */
const CODE_LENGTH = 30;

export function prepareSignInLinks({
  database,
  clock,
  random,
  organisations,
  makeChange,
  rights,
}: StoreParts): SignInLinkOperations {
  const insertToken = prepareTokenInsert({ database, random });
  const insert = database.prepare(
    `INSERT INTO sign_in_link (id, organisation, scopes, hash, created, expires)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const removeOld = database.prepare(
    `DELETE FROM sign_in_link WHERE expires <= :now OR id NOT IN (
       SELECT id FROM sign_in_link ORDER BY created DESC, rowid DESC LIMIT ${LINKS_MAX})`,
  );
  const select = database.prepare('SELECT id FROM sign_in_link WHERE hash = ? AND expires > ?');
  const take = database.prepare(
    'DELETE FROM sign_in_link WHERE hash = ? AND expires > ? RETURNING organisation, scopes',
  );

  return {
    createSignInLink(
      { organisationId, scopes: wanted = DEFAULT_SCOPES, expiresAfterMs = LINK_LIFETIME_MS },
      by,
    ) {
      const scopes = checkScopes(wanted);
      organisations.checkOrganisation(organisationId);
      return makeChange(by, (now) => {
        const linkId = randomText({ alphabet: BASE32, length: LINK_ID_LENGTH, random });
        const code = randomText({ alphabet: BASE62, length: CODE_LENGTH, random });
        const expires = now + expiresAfterMs;
        insert.run(linkId, organisationId, writeScopes(scopes), hashToken(code), now, expires);
        removeOld.run({ now });
        const details = { scopes, expires };
        return {
          result: { linkId, code, scopes, expires },
          change: { action: 'sign_in_link.create', organisationId, subject: linkId, details },
        };
      });
    },

    signIn(code) {
      const hash = hashToken(code);
      // Without a lock, so that guesses hold up nobody.
      const known = select.get(hash, clock());
      if (known === undefined) throw codeRefused();
      const linkId = readText(known, 'id');
      rights.checkRow('sign_in_link', linkId);
      return makeChange({ kind: 'sign-in link', linkId }, (now) => {
        // Another process may have used it since.
        const link = take.get(hash, now);
        if (link === undefined) throw codeRefused();
        const organisationId = readText(link, 'organisation');
        const scopes = readScopes(readText(link, 'scopes'));
        const expires = now + TOKEN_LIFETIME_MS;
        const token = { organisationId, name: TOKEN_NAME, scopes, created: now, expires };
        const { tokenText, tokenId: subject } = insertToken(token);
        const details = { name: TOKEN_NAME, scopes, expires };
        return {
          result: { tokenText, expires },
          change: { action: 'token.create', organisationId, subject, details },
        };
      });
    },
  };
}

/** Without the code: messages end up in logs. */
function codeRefused(): ControlError {
  return new ControlError(
    'The sign-in code is not accepted: it was used, has expired, or never existed.',
    'Make a new link on the machine of the service with locmetrics explore, or sign in with a token.',
    { reason: 'SIGN_IN_CODE_INVALID', pointer: '/code' },
  );
}
