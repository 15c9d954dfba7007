/**
 * Loaded before a process that switches versions: kills it after a number of steps. `LOCMETRICS_TEST_KILL_AT_STEP` is the
 * number, from 1. The last line of the standard error names the step.
 */
import fs from 'node:fs';
import { flushCompileCache } from 'node:module';
import { onEachStep } from './each-step.ts';

let stepsLeft = Number(process.env['LOCMETRICS_TEST_KILL_AT_STEP']);

onEachStep((name) => {
  stepsLeft -= 1;
  if (stepsLeft > 0) return;
  fs.writeSync(2, `${name}\n`);
  // A killed process does not keep what it has compiled.
  flushCompileCache();
  process.kill(process.pid, 'SIGKILL');
});
