import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from '@locmetrics/core/errors/control-error';
import type { Explain } from '@locmetrics/data-directory/sqlite/explain-sqlite';
import { readBlob, readOptionalInteger } from '@locmetrics/data-directory/sqlite/sqlite-row';
import type { Actor } from './actor.ts';
import type { RightsCheck } from './check-rights.ts';
import type { Clock } from './clock.ts';
import { forgetCallers } from './forget-callers.ts';
import { type MakeChange, TAKES_AWAY } from './make-change.ts';
import type { RandomBytes } from './random-text.ts';
import { RightsDamagedError } from './rights-damaged-error.ts';
import { isWholeSql, rightsTable } from './rights-table.ts';

export type SecretOperations = {
  /**
   * The secret of this name, 32 random bytes, for example the key of page tokens. In a store of its own it is
   * created on first use, and replaced if it is damaged; all processes share it. Throws a ControlError if a shared store
   * does not have it, and a RightsDamagedError if its mirror has a damaged one.
   */
  secret(name: string): Uint8Array;
  /** Whether a damaged secret of this name was replaced, so that what was made with the one before is expired. */
  wasReplaced(name: string): boolean;
  /** Makes the secret of this name, unless there is one that is not damaged. */
  makeSecret(name: string): void;
  /** Replaces the secret of this name: what was signed with the one before is not valid any more, in any process. */
  rotateSecret(name: string, by?: Actor): void;
};

const SECRET_BYTES = 32;

export function prepareSecrets({
  database,
  explain,
  clock,
  random = randomBytes,
  rights,
  makesSecrets,
  makeChange,
}: {
  readonly database: DatabaseSync;
  readonly explain: Explain;
  readonly clock: Clock;
  readonly random: RandomBytes | undefined;
  readonly rights: RightsCheck;
  readonly makesSecrets: boolean;
  readonly makeChange: MakeChange;
}): SecretOperations & {
  /** Has all secrets read again: they are those of another store. */
  readonly forgetSecrets: () => void;
} {
  const select = database.prepare('SELECT value, replaced FROM secret WHERE name = ?');
  const insert = database.prepare(
    'INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );
  const write = database.prepare(
    `INSERT INTO secret (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  );
  // If two processes find it damaged, the second one finds a whole one here.
  const replace = database.prepare(
    `UPDATE secret SET value = ?, replaced = ?
     WHERE name = ? AND ${isWholeSql(rightsTable('secret'))} IS NOT 1`,
  );

  const known = new Map<string, Secret>();

  const makeSecret = (name: string): void => {
    explain(() => insert.run(name, random(SECRET_BYTES)));
    if (replace.run(random(SECRET_BYTES), clock(), name).changes > 0) forgetCallers(database);
  };
  const find = (name: string): Secret | undefined => {
    rights.checkRow('secret', name);
    const row = select.get(name);
    return row === undefined
      ? undefined
      : {
          value: readBlob(row, 'value'),
          isReplaced: readOptionalInteger(row, 'replaced') !== undefined,
        };
  };
  const read = (name: string): Secret => {
    // If another process was faster, nothing is written and its secret is read.
    if (makesSecrets && !isFound(() => find(name))) makeSecret(name);
    const found = find(name);
    if (found === undefined) throw secretMissing(name);
    return found;
  };
  const use = (name: string): Secret => {
    const secret = known.get(name) ?? read(name);
    known.set(name, secret);
    return secret;
  };

  return {
    secret: (name) => use(name).value,
    wasReplaced: (name) => use(name).isReplaced,
    makeSecret,
    rotateSecret: (name, by) => {
      const change = {
        action: 'secret.rotate',
        organisationId: '',
        subject: name,
        details: {},
      } as const;
      makeChange(
        by,
        () => {
          write.run(name, random(SECRET_BYTES));
          forgetCallers(database);
          return { result: undefined, change };
        },
        TAKES_AWAY,
      );
      known.delete(name);
    },
    forgetSecrets: () => known.clear(),
  };
}

type Secret = { readonly value: Uint8Array; readonly isReplaced: boolean };

function isFound(find: () => Secret | undefined): boolean {
  try {
    return find() !== undefined;
  } catch (error) {
    if (error instanceof RightsDamagedError) return false;
    throw error;
  }
}

function secretMissing(name: string): ControlError {
  return new ControlError(
    `The control store has no secret '${name}'.`,
    'Restart the service, which creates the secret.',
    { reason: 'CONTROL_STORE_UNUSABLE' },
  );
}
