/**
 * Loaded before a process that switches versions: kills it after a number of steps. A step is a call of Node that has
 * changed the data directory, or a statement of SQLite or PostgreSQL. `LOCMETRICS_TEST_KILL_AT_STEP` is the number, from
 * 1. The last line of the standard error names the step.
 */
import fs from 'node:fs';
import { flushCompileCache, syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Client } from 'pg';

const CHANGING = ['copyFile', 'mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir', 'writeFile'];

const root = process.argv[process.argv.indexOf('--data') + 1] ?? '';
let stepsLeft = Number(process.env['LOCMETRICS_TEST_KILL_AT_STEP']);

function step(name: string): void {
  stepsLeft -= 1;
  if (stepsLeft > 0) return;
  fs.writeSync(2, `${name.replaceAll(/\s+/g, ' ')}\n`);
  // A killed process does not keep what it has compiled.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
}

export type Functions = Record<string, (...given: readonly unknown[]) => unknown>;

/** Replaces functions by ones that count when they have succeeded. `nameOf` is undefined for no step. */
export function count(
  functions: Functions,
  names: readonly string[],
  nameOf: (self: unknown, first: string) => string | undefined,
): void {
  for (const name of names) {
    const original = functions[name];
    if (original === undefined) throw new Error(`There is no function ${name}.`);
    functions[name] = function (this: unknown, ...given) {
      const described = nameOf(this, String(given[0]));
      const end = <Result>(result: Result): Result => {
        if (described !== undefined) step(`${name} ${described}`);
        return result;
      };
      const result = original.apply(this, [...given]);
      return result instanceof Promise ? result.then(end) : end(result);
    };
  }
}

// Modules are opened too.
const inRoot = (_: unknown, path: string) => (path.startsWith(root) ? path : undefined);
export const sql = (_: unknown, text: string) => text;

count(fs.promises as unknown as Functions, CHANGING, inRoot);
count(
  fs as unknown as Functions,
  CHANGING.map((name) => `${name}Sync`),
  inRoot,
);
count(DatabaseSync.prototype as unknown as Functions, ['exec'], sql);
count(DatabaseSync.prototype as unknown as Functions, ['close'], (database) =>
  String((database as DatabaseSync).location()),
);
count(
  StatementSync.prototype as unknown as Functions,
  ['run'],
  (statement) => (statement as StatementSync).sourceSQL,
);
count(Client.prototype as unknown as Functions, ['query'], sql);
syncBuiltinESMExports();
