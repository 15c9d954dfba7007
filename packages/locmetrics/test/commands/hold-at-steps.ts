/**
 * Loaded before a publish: holds its process after each step, which a statement of DuckDB is too. It writes the name of
 * the step to the file descriptor 3, and goes on when it reads a byte from there. Until then no JavaScript runs, and a
 * publish does one thing at a time, so the data directory has what it would have if the process had been killed after
 * the step.
 */
import fs from 'node:fs';
import { DuckDBConnection } from '@duckdb/node-api';
import { countCalls, type Functions, onEachStep, sql } from '../versions/each-step.ts';

const byte = Buffer.alloc(1);

onEachStep(hold);
countCalls(hold, DuckDBConnection.prototype as unknown as Functions, ['run'], sql);

function hold(name: string): void {
  fs.writeSync(3, `${name}\n`);
  fs.readSync(3, byte);
}
