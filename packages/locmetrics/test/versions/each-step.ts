import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { Client } from 'pg';

const CHANGING = ['copyFile', 'mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir', 'writeFile'];

/**
 * Calls back after each step of a process that changes the data directory of `--data`. A step is a call of Node that has
 * changed the directory, or a statement of SQLite or PostgreSQL. Node is changed for the rest of the process.
 */
export function onEachStep(step: (name: string) => void): void {
  const root = process.argv[process.argv.indexOf('--data') + 1] ?? '';
  // Modules are opened too.
  const inRoot = (_: unknown, path: string) => (path.startsWith(root) ? path : undefined);

  countCalls(step, fs.promises as unknown as Functions, CHANGING, inRoot);
  countCalls(
    step,
    fs as unknown as Functions,
    CHANGING.map((name) => `${name}Sync`),
    inRoot,
  );
  countCalls(step, DatabaseSync.prototype as unknown as Functions, ['exec'], sql);
  countCalls(step, DatabaseSync.prototype as unknown as Functions, ['close'], (database) =>
    String((database as DatabaseSync).location()),
  );
  countCalls(
    step,
    StatementSync.prototype as unknown as Functions,
    ['run'],
    (statement) => (statement as StatementSync).sourceSQL,
  );
  countCalls(step, Client.prototype as unknown as Functions, ['query'], sql);
  syncBuiltinESMExports();
}

export type Functions = Record<string, (...given: readonly unknown[]) => unknown>;

/** Replaces functions by ones that count when they have succeeded. `nameOf` is undefined for no step. */
export function countCalls(
  step: (name: string) => void,
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
        if (described !== undefined) step(`${name} ${described}`.replaceAll(/\s+/g, ' '));
        return result;
      };
      const result = original.apply(this, [...given]);
      return result instanceof Promise ? result.then(end) : end(result);
    };
  }
}

/** The name of a step that is a statement. */
export const sql = (_: unknown, text: string): string => text;
