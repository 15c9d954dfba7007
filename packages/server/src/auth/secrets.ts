import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { RandomBytes } from './random-text.ts';
import { explainBusy } from './sqlite-busy.ts';
import { readBlob } from './sqlite-row.ts';

export type SecretOperations = {
  /**
   * The secret of this name, 32 random bytes, for example the key that signs page tokens. It is made
   * on first use and the same ever after, in every process.
   */
  secret(name: string): Uint8Array;
};

const SECRET_BYTES = 32;

export function prepareSecrets({
  database,
  random = randomBytes,
}: {
  readonly database: DatabaseSync;
  readonly random: RandomBytes | undefined;
}): SecretOperations {
  const select = database.prepare('SELECT value FROM secret WHERE name = ?');
  const insert = database.prepare(
    'INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
  );

  return {
    secret(name) {
      const existing = select.get(name);
      if (existing !== undefined) return readBlob(existing, 'value');
      // When another process was faster, nothing is inserted and its secret is read.
      explainBusy(() => insert.run(name, random(SECRET_BYTES)));
      return readBlob(select.get(name) ?? {}, 'value');
    },
  };
}
