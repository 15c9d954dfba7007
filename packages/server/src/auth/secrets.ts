import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { ControlError } from '../domain/control-error.ts';
import type { Explain } from '../sqlite/explain-sqlite.ts';
import { readBlob } from '../sqlite/sqlite-row.ts';
import type { RandomBytes } from './random-text.ts';

export type SecretOperations = {
  /**
   * The secret of this name, 32 random bytes, for example the key of page tokens. In a store of its own it is
   * created on first use; it never changes, and all processes share it. Throws a ControlError if a shared store
   * does not have it.
   */
  secret(name: string): Uint8Array;
  /** Makes the secret of this name, unless there is one. */
  makeSecret(name: string): void;
};

const SECRET_BYTES = 32;

export function prepareSecrets({
  database,
  explain,
  random = randomBytes,
  makesSecrets,
}: {
  readonly database: DatabaseSync;
  readonly explain: Explain;
  readonly random: RandomBytes | undefined;
  readonly makesSecrets: boolean;
}): SecretOperations & {
  /** Has all secrets read again: they are those of another store. */
  readonly forgetSecrets: () => void;
} {
  const select = database.prepare('SELECT value FROM secret WHERE name = ?');
  const insert = database.prepare(
    'INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );

  const known = new Map<string, Uint8Array>();

  const makeSecret = (name: string): void => {
    explain(() => insert.run(name, random(SECRET_BYTES)));
  };
  const read = (name: string): Uint8Array => {
    const existing = select.get(name);
    if (existing !== undefined) return readBlob(existing, 'value');
    if (!makesSecrets) throw secretMissing(name);
    // If another process was faster, nothing is inserted and its secret is read.
    makeSecret(name);
    return readBlob(select.get(name) ?? {}, 'value');
  };

  return {
    secret(name) {
      const secret = known.get(name) ?? read(name);
      known.set(name, secret);
      return secret;
    },
    makeSecret,
    forgetSecrets: () => known.clear(),
  };
}

function secretMissing(name: string): ControlError {
  return new ControlError(
    `The control store has no secret '${name}'.`,
    'Restart the service: it makes the secret at its start.',
    { reason: 'CONTROL_STORE_UNUSABLE' },
  );
}
