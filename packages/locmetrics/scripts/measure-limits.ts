import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Caller } from '@locmetrics/core/domain/caller';
import { createRights, type OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { LimitLine } from '@locmetrics/server/metering/limit-messages';
import {
  type LimitAuthority,
  openLimitAuthority,
} from '@locmetrics/server/metering/open-limit-authority';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import {
  connectLimitLine,
  type LimitFromWorker,
  type LimitToWorker,
  openLimitLine,
} from '../src/processes/limit-channel.ts';

/**
 * Measures the cost of the limits of an organisation for a request: the total time of `admit`, `charge` and
 * `end` in a worker whose limits are kept by another process. It measures one request at a time, and 32 in
 * parallel.
 *
 *   node packages/locmetrics/scripts/measure-limits.ts
 */
const CASES: Readonly<Record<string, OrganisationLimits>> = {
  'no limits': {},
  'requests and rows, with leases': {
    requestsPerSecond: 1e7,
    rowsPerDay: 1e12,
    rowsPerMonth: 1e13,
  },
  'concurrent queries, and rows': { rowsPerDay: 1e12, concurrentQueries: 1000 },
  'concurrent queries': { concurrentQueries: 1000 },
};
const REQUESTS = 100_000;
const ROWS = 100;

if (process.send === undefined) await measureInChild();
else await measure();

async function measureInChild(): Promise<void> {
  const authority = openLimitAuthority({
    readUsedRows: async () => ({ day: 0, month: 0 }),
    observe: () => {},
  });
  const child = fork(fileURLToPath(import.meta.url));
  answer(child, authority);
  await new Promise((resolve) => child.once('exit', resolve));
  const { user, system } = process.cpuUsage();
  process.stdout.write(
    `the process that keeps the limits: ${Math.round((user + system) / 1000)} ms of CPU\n`,
  );
}

function answer(child: ChildProcess, authority: LimitAuthority): void {
  const { receive } = connectLimitLine(authority.openLine(), (messages) => child.send(messages));
  // The child below sends nothing else.
  child.on('message', (given) => receive(given as readonly LimitFromWorker[]));
}

function openLine(): LimitLine {
  const { line, receive } = openLimitLine((messages) => process.send?.(messages));
  // The parent above sends nothing else.
  process.on('message', (given) => receive(given as readonly LimitToWorker[]));
  return line;
}

async function measure(): Promise<void> {
  const line = openLine();
  let asked = 0;
  const keeper = openLimitKeeper({
    line: {
      ...line,
      ask: (question) => {
        asked += 1;
        return line.ask(question);
      },
    },
  });
  const { signal } = new AbortController();
  const request = async (caller: Caller): Promise<void> => {
    const { charge, end } = await keeper.admit(caller, signal);
    await charge(ROWS);
    end();
  };
  for (const [name, limits] of Object.entries(CASES)) {
    const rights = createRights({ organisationId: name, grants: [], limits });
    const caller: Caller = { organisationId: name, tokenId: 'token', scopes: [], rights };
    for (const together of [1, 32]) {
      for (let warm = 0; warm < 10_000; warm += 1) await request(caller);
      asked = 0;
      const began = performance.now();
      const { user, system } = process.cpuUsage();
      const run = async (): Promise<void> => {
        for (let sent = 0; sent < REQUESTS / together; sent += 1) await request(caller);
      };
      await Promise.all(Array.from({ length: together }, run));
      const wallUs = ((performance.now() - began) * 1000) / REQUESTS;
      const used = process.cpuUsage({ user, system });
      const cpuUs = (used.user + used.system) / REQUESTS;
      process.stdout.write(
        `${name}, ${together} at once: ${wallUs.toFixed(2)} µs a request, ${cpuUs.toFixed(2)} µs of CPU, ${(asked / REQUESTS).toFixed(4)} questions\n`,
      );
    }
  }
  keeper.close();
  // Its last message is sent at the end of this turn.
  setImmediate(() => process.disconnect());
}
