import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Explain } from '../sqlite/explain-sqlite.ts';
import { readBlob } from '../sqlite/sqlite-row.ts';
import type { RandomBytes } from './random-text.ts';

export type SecretOperations = {
  /**
   * The secret of this name, 32 random bytes, for example the key of page tokens. It is created on first
   * use and never changes; all processes share it.
   */
  secret(name: string): Uint8Array;
};

const SECRET_BYTES = 32;

export function prepareSecrets({
  database,
  explain,
  random = randomBytes,
}: {
  readonly database: DatabaseSync;
  readonly explain: Explain;
  readonly random: RandomBytes | undefined;
}): SecretOperations {
  const select = database.prepare('SELECT value FROM secret WHERE name = ?');
  const insert = database.prepare(
    'INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );

  const known = new Map<string, Uint8Array>();

  const read = (name: string): Uint8Array => {
    const existing = select.get(name);
    if (existing !== undefined) return readBlob(existing, 'value');
    // If another process was faster, nothing is inserted and its secret is read.
    explain(() => insert.run(name, random(SECRET_BYTES)));
    return readBlob(select.get(name) ?? {}, 'value');
  };

  return {
    secret(name) {
      const secret = known.get(name) ?? read(name);
      known.set(name, secret);
      return secret;
    },
  };
}
