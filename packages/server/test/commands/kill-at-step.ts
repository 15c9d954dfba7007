/**
 * Loaded before a command: kills its process after a number of steps, each a call of Node that has changed the file
 * system. `LOCMETRICS_TEST_KILL_AT_STEP` is the number, from 1.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const CHANGING = ['copyFile', 'mkdir', 'mkdtemp', 'open', 'rename', 'rm', 'rmdir', 'writeFile'];

let stepsLeft = Number(process.env['LOCMETRICS_TEST_KILL_AT_STEP']);

function step(): void {
  stepsLeft -= 1;
  if (stepsLeft === 0) process.kill(process.pid, 'SIGKILL');
}

type Functions = Record<string, (...given: readonly unknown[]) => unknown>;

/** Replaces functions by ones that count when they have succeeded. */
function count(functions: Functions, names: readonly string[]): void {
  for (const name of names) {
    const original = functions[name];
    if (original === undefined) throw new Error(`Node has no function ${name}.`);
    functions[name] = (...given) => {
      const result = original(...given);
      if (!(result instanceof Promise)) {
        step();
        return result;
      }
      return result.then((value) => {
        step();
        return value;
      });
    };
  }
}

count(fs.promises as unknown as Functions, CHANGING);
count(
  fs as unknown as Functions,
  CHANGING.map((name) => `${name}Sync`),
);
syncBuiltinESMExports();
