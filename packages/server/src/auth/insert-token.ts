import type { DatabaseSync } from 'node:sqlite';
import type { Scope } from '@locmetrics/core/domain/scope';
import { BASE32, type RandomBytes, randomText } from './random-text.ts';
import { writeScopes } from './scopes.ts';
import { createTokenText, hashToken } from './token-text.ts';

export type CreatedToken = {
  /** Shown only once, because it is not stored. */
  readonly tokenText: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly expires: number | undefined;
};

/** The data of a new token, already checked. */
type NewToken = {
  readonly organisationId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly created: number;
  readonly expires: number | undefined;
};

/** 60 random bits: short enough to type, and practically unique. */
const TOKEN_ID_LENGTH = 12;

/** Inserts new tokens, each with a new text; called within a change. */
export function prepareTokenInsert({
  database,
  random,
}: {
  readonly database: DatabaseSync;
  readonly random: RandomBytes | undefined;
}): (token: NewToken) => CreatedToken {
  const insert = database.prepare(
    `INSERT INTO token (id, organisation, name, scopes, hash, created, expires)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ organisationId, name, scopes, created, expires }) => {
    const tokenText = createTokenText(random);
    const tokenId = randomText({ alphabet: BASE32, length: TOKEN_ID_LENGTH, random });
    const hash = hashToken(tokenText);
    const written = writeScopes(scopes);
    insert.run(tokenId, organisationId, name, written, hash, created, expires ?? null);
    return { tokenText, tokenId, scopes, expires };
  };
}
