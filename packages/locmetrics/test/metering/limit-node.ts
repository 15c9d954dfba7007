import { writeSync } from 'node:fs';
import { openSharedLimits } from '@locmetrics/cluster/limits/open-shared-limits';
import { RENEW_NODE } from '@locmetrics/cluster/limits/shared-limit-schema';
import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import { createRights, type OrganisationLimits } from '@locmetrics/core/domain/rights';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import {
  type ClosingLimitKeeper,
  openLimitKeeper,
} from '@locmetrics/server/metering/open-limit-keeper';
import type { Observation } from '@locmetrics/server/observe/observation';
import { delay } from '../support/delay.ts';
import { randomNumbers } from '../support/random-numbers.ts';

/**
 * A machine of the tests, in a process of its own: an authority and several workers, which send the load that the test
 * asks for by messages.
 */
export type ToNode = { readonly id: number } & Command;

export type FromNode = { readonly id: number; readonly report: NodeReport };

type Command =
  | { readonly kind: 'load'; readonly load: NodeLoad }
  /** Changes the limits of all loads that follow, and of those that run. */
  | { readonly kind: 'limits'; readonly limits: OrganisationLimits }
  | { readonly kind: 'report' }
  | { readonly kind: 'close' };

export type NodeLoad = {
  readonly organisationId: string;
  /** How long requests are sent. */
  readonly forMs: number;
  /** Goes on after this time until its limits refuse one request after the other: then nothing is left for it. */
  readonly untilRefused: boolean;
  /** Requests begun in a second, spread at random; each by a worker at random. */
  readonly perSecond: number;
  /** The most rows of an answer; sizes are random. 0: no rows. */
  readonly rowsMax: number;
  /** How long a request has its slot. */
  readonly holdMs: number;
};

/** Counts of a node since its start. */
export type NodeReport = {
  readonly sent: number;
  readonly admitted: number;
  readonly refused: number;
  /** The limits that requests were refused for. */
  readonly refusedFor: readonly string[];
  /** Requests that could not be checked. */
  readonly unknown: number;
  readonly rows: number;
  /** Those, and the rows of requests that wait for the answer of the database. */
  readonly rowsAsked: number;
  readonly inProgress: number;
  /** Slot milliseconds: the sum of the times that requests had their slots. */
  readonly heldMs: number;
  /** The times of requests that were admitted and have ended, in ms since 1970. */
  readonly requests: readonly (readonly [begunMs: number, endedMs: number])[];
  /** The statements that drew on the database. */
  readonly statements: number;
  readonly ledgerReads: number;
  /** Requests during whose admission the database was waited for. */
  readonly waited: number;
  readonly observed: readonly string[];
  /** The longest time from the sending of a renewal until the answer of the next one. */
  readonly longestRenewalMs: number;
};

const [url = '', workers = '', used = '', seed = '', answerTimeoutMs = ''] = process.argv.slice(2);
const random = randomNumbers(Number(seed));

const pool = openPostgres(url);
let statements = 0;
/** Answers of the database so far: a request during which there was one has waited for it. */
let answers = 0;
let renewedMs = performance.now();
let longestRenewalMs = 0;
const postgres = {
  ...pool,
  query: (text: string, values?: readonly unknown[]) => {
    if (text === RENEW_NODE) {
      const sentMs = performance.now();
      return pool.query(text, values).finally(() => {
        longestRenewalMs = Math.max(longestRenewalMs, performance.now() - renewedMs);
        renewedMs = sentMs;
      });
    }
    if (!text.includes('draw_limits')) return pool.query(text, values);
    statements += 1;
    return pool.query(text, values).finally(() => {
      answers += 1;
    });
  },
};
const observed: string[] = [];
const observe = ({ kind, ...rest }: Observation): void => {
  observed.push(`${kind} ${'error' in rest ? String(rest.error) : ''}`.trim());
};
let ledgerReads = 0;
let waited = 0;
const shared = await openSharedLimits({
  postgres,
  observe,
  answerTimeoutMs: Number(answerTimeoutMs),
});
const authority = openLimitAuthority({
  shared,
  observe,
  readUsedRows: async () => {
    ledgerReads += 1;
    return JSON.parse(used) as { day: number; month: number };
  },
});
const lines = Array.from({ length: Number(workers) }, () => authority.openLine());
const keepers = lines.map((line) =>
  openLimitKeeper({ line, answerTimeoutMs: Number(answerTimeoutMs) }),
);

let limits: OrganisationLimits = {};
const counts = {
  sent: 0,
  admitted: 0,
  refused: 0,
  unknown: 0,
  rows: 0,
  rowsAsked: 0,
  inProgress: 0,
  heldMs: 0,
};
const refusedFor = new Set<string>();
const requests: [number, number][] = [];
/** The requests that its limits have refused since the last one that was admitted. */
let refusedNow = 0;
const REFUSED_MIN = 50;
const { signal } = new AbortController();

async function request(keeper: ClosingLimitKeeper, load: NodeLoad): Promise<void> {
  const { organisationId, rowsMax, holdMs } = load;
  const rights = createRights({ organisationId, grants: [], limits });
  const caller = { organisationId, tokenId: 'token', scopes: [], rights };
  counts.sent += 1;
  const answersBefore = answers;
  try {
    const { charge, end } = await keeper.admit(caller, signal);
    const startedMs = performance.now();
    const beganAt = performance.timeOrigin + startedMs;
    if (answers > answersBefore) waited += 1;
    counts.admitted += 1;
    counts.inProgress += 1;
    try {
      if (holdMs > 0) await delay(holdMs);
      if (rowsMax > 0) {
        const rows = 1 + Math.floor(random() * rowsMax);
        // At once, so that both are known of a machine that is killed the moment after.
        writeSync(1, `asked ${rows}\n`);
        counts.rowsAsked += rows;
        await charge(rows);
        writeSync(1, `used ${rows}\n`);
        counts.rows += rows;
        refusedNow = 0;
      }
    } finally {
      const endedMs = performance.now();
      counts.inProgress -= 1;
      counts.heldMs += endedMs - startedMs;
      requests.push([beganAt, performance.timeOrigin + endedMs]);
      end();
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.reason === 'LIMIT_EXCEEDED') {
      counts.refused += 1;
      refusedNow += 1;
      refusedFor.add(String(error.limit));
    } else counts.unknown += 1;
  }
}

async function run(load: NodeLoad): Promise<void> {
  const began = performance.now();
  const running: Promise<void>[] = [];
  let begun = 0;
  refusedNow = 0;
  for (;;) {
    const passedMs = performance.now() - began;
    if (passedMs >= load.forMs && (!load.untilRefused || refusedNow >= REFUSED_MIN)) break;
    // Later requests make up for a process that had to wait for its turn.
    while (begun < (passedMs / 1000) * load.perSecond) {
      begun += 1;
      const keeper = keepers[Math.floor(random() * keepers.length)];
      if (keeper !== undefined) running.push(request(keeper, load));
    }
    await delay(1);
  }
  await Promise.all(running);
}

async function close(): Promise<void> {
  for (const keeper of keepers) keeper.close();
  await shared.close();
  await pool.close();
}

// The test sends nothing else.
process.on('message', (message: ToNode) => void hear(message));
send(0);
// The test has the counts of a node that it kills.
const reporting = setInterval(() => send(0), 20).unref();

async function hear(message: ToNode): Promise<void> {
  switch (message.kind) {
    case 'load':
      await run(message.load);
      break;
    case 'limits':
      limits = message.limits;
      break;
    case 'report':
      break;
    case 'close':
      await close();
      clearInterval(reporting);
      process.disconnect();
      return;
  }
  send(message.id);
}

function send(id: number): void {
  const report: NodeReport = {
    ...counts,
    refusedFor: [...refusedFor],
    requests: id === 0 ? [] : requests,
    statements,
    ledgerReads,
    waited,
    observed,
    longestRenewalMs,
  };
  process.send?.({ id, report } satisfies FromNode);
}
