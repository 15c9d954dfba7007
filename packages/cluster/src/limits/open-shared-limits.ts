import { randomUUID } from 'node:crypto';
import { setImmediate as nextLoopTick, setTimeout as passTime } from 'node:timers/promises';
import type { SharedLimits } from '@locmetrics/server/metering/limit-allowance';
import { type LimitClock, SYSTEM_CLOCK } from '@locmetrics/server/metering/limit-clock';
import type { DrawnLimits, LimitDraw } from '@locmetrics/server/metering/limit-draw';
import type { Observe } from '@locmetrics/server/observe/observation';
import type { Postgres, PostgresConnection } from '../postgres/open-postgres.ts';
import { openSharedAllowance, type SharedAllowance, TICK_MS } from './shared-allowance.ts';
import {
  FORGET_ROWS,
  NODE_ID_LENGTH,
  PRUNE,
  READ_USED,
  RECALL_CHANNEL,
  RENEW_NODE,
} from './shared-limit-schema.ts';

/** A database that has not answered by then counts as away. Workers wait for two seconds. */
const ANSWER_TIMEOUT_MS = 350;

const RENEW_EVERY_MS = 1_000;
const RENEW_AWAY_EVERY_MS = 250;
/** So many renewals after an outage, all machines have had the time for one. */
const RENEWALS_BACK = 2;
const LISTEN_AGAIN_MS = 1_000;
const READ_USED_EVERY_MS = 5_000;
const PRUNE_EVERY_MS = 600_000;

type State = {
  readonly postgres: Postgres;
  readonly answerTimeoutMs: number;
  readonly clock: LimitClock;
  readonly observe: Observe;
  readonly node: string;
  readonly allowances: Map<string, SharedAllowance>;
  isAway: boolean;
  isClosed: boolean;
  nodes: number;
  /** Renewals since the database is back. */
  renewals: number;
  /** The time of the database, and when it was received. */
  time: { readonly timeMs: number; readonly atMs: number } | undefined;
  renewTimer: NodeJS.Timeout | undefined;
  renewing: Promise<void> | undefined;
  listenTimer: NodeJS.Timeout | undefined;
  listening: Promise<void> | undefined;
  connection: PostgresConnection | undefined;
};

/** Joins the machines that share limits. While the database is away, this one goes on with its part of each limit. */
export async function openSharedLimits({
  clock = SYSTEM_CLOCK,
  answerTimeoutMs = ANSWER_TIMEOUT_MS,
  ...options
}: Pick<State, 'postgres' | 'observe'> &
  Partial<Pick<State, 'clock' | 'answerTimeoutMs'>>): Promise<SharedLimits> {
  const state: State = {
    ...options,
    clock,
    answerTimeoutMs,
    node: randomUUID(),
    allowances: new Map(),
    isAway: false,
    isClosed: false,
    nodes: 1,
    renewals: 0,
    time: undefined,
    renewTimer: undefined,
    renewing: undefined,
    listenTimer: undefined,
    listening: undefined,
    connection: undefined,
  };
  const source = {
    draw: (asked: LimitDraw) => draw(state, asked),
    forgetRows: (organisationId: string) => forgetRows(state, organisationId),
    nodes: () => state.nodes,
    timeMs: () => timeMs(state),
  };
  await renew(state);
  scheduleRenewal(state);
  state.listening = listen(state);
  const ticking = setInterval(() => {
    for (const allowance of state.allowances.values()) allowance.tick();
  }, TICK_MS);
  const pruning = setInterval(() => void prune(state), PRUNE_EVERY_MS);
  const reading = setInterval(() => void readUsed(state), READ_USED_EVERY_MS);
  const timers = [ticking, reading, pruning];
  for (const timer of timers) timer.unref();
  return {
    openAllowance: (options) => {
      const allowance = openSharedAllowance({ ...options, source });
      state.allowances.set(options.organisationId, allowance);
      return allowance;
    },
    close: async () => {
      state.isClosed = true;
      for (const timer of timers) clearInterval(timer);
      for (const timer of [state.renewTimer, state.listenTimer]) clearTimeout(timer);
      await Promise.all([state.renewing, state.listening]);
      await state.connection?.close();
      await Promise.all([...state.allowances.values()].map((allowance) => allowance.close()));
      if (state.isAway) return;
      // Otherwise what it held is free after some seconds.
      await state.postgres
        .query('DELETE FROM limit_node WHERE node = $1', [state.node])
        .catch(() => {});
    },
  };
}

async function draw(state: State, asked: LimitDraw): Promise<DrawnLimits | undefined> {
  if (state.isAway) return undefined;
  try {
    const asking = state.postgres.query('SELECT draw_limits($1) AS drawn', [
      JSON.stringify({ ...asked, node: state.node }),
    ]);
    const [row] = await answerOf(asking, state.answerTimeoutMs);
    // Written by the function of the schema.
    const drawn = JSON.parse(String(row?.['drawn'])) as DrawnLimits & { readonly timeMs: number };
    receiveTime(state, drawn.timeMs);
    state.nodes = drawn.nodes;
    return drawn;
  } catch (error) {
    leave(state, error);
    return undefined;
  }
}

/** An answer that arrived while this process was busy is in time, although it is read after the timer. */
async function answerOf<Answer>(asking: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const answered = new AbortController();
  const late = async (): Promise<never> => {
    await passTime(timeoutMs, undefined, { signal: answered.signal });
    await nextLoopTick();
    await nextLoopTick();
    throw new Error(`PostgreSQL has not answered within ${timeoutMs} ms.`);
  };
  try {
    return await Promise.race([asking, late()]);
  } finally {
    answered.abort();
  }
}

function leave(state: State, error: unknown): void {
  state.renewals = 0;
  if (state.isAway) return;
  state.isAway = true;
  state.observe({ kind: 'shared_limits_away', nodes: state.nodes, error });
  scheduleRenewal(state);
}

function scheduleRenewal(state: State): void {
  clearTimeout(state.renewTimer);
  if (state.isClosed) return;
  const afterMs = state.isAway ? RENEW_AWAY_EVERY_MS : RENEW_EVERY_MS;
  state.renewTimer = setTimeout(() => {
    state.renewing ??= renew(state).finally(() => {
      state.renewing = undefined;
      scheduleRenewal(state);
    });
  }, afterMs).unref();
}

async function renew(state: State): Promise<void> {
  try {
    const timeoutMs = Math.max(RENEW_EVERY_MS, state.answerTimeoutMs);
    const [row] = await answerOf(state.postgres.query(RENEW_NODE, [state.node]), timeoutMs);
    receiveTime(state, Number(row?.['time_ms']));
    state.nodes = Number(row?.['nodes']);
    if (!state.isAway) return;
    // The others must count as live before this one draws on what is left.
    state.renewals += 1;
    if (state.renewals < RENEWALS_BACK) return;
    state.isAway = false;
    state.observe({ kind: 'shared_limits_back' });
  } catch (error) {
    leave(state, error);
  }
}

function receiveTime(state: State, receivedMs: number): void {
  state.time = { timeMs: receivedMs, atMs: state.clock.nowMs() };
}

function timeMs({ time, clock }: State): number {
  return time === undefined ? clock.timeMs() : time.timeMs + (clock.nowMs() - time.atMs);
}

function forgetRows({ postgres }: State, organisationId: string): void {
  // Other machines that see the limits go do the same.
  postgres.query(FORGET_ROWS, [organisationId]).catch(() => {});
}

/** Without it, free slots of other machines come back some hundred milliseconds later. */
async function listen(state: State): Promise<void> {
  let opened: PostgresConnection | undefined;
  const again = (): void => {
    state.connection = undefined;
    if (state.isClosed) return;
    state.listenTimer = setTimeout(() => {
      state.listening = listen(state);
    }, LISTEN_AGAIN_MS).unref();
  };
  try {
    opened = await state.postgres.connect();
    opened.onNotice((payload) => receiveRecall(state, payload));
    await opened.query(`LISTEN ${RECALL_CHANNEL}`);
    state.connection = opened;
    opened.onLost(again);
  } catch {
    await opened?.close();
    again();
  }
}

function receiveRecall({ node, allowances }: State, payload: string): void {
  if (payload.startsWith(node)) return;
  void allowances.get(payload.slice(NODE_ID_LENGTH))?.recall();
}

async function readUsed({ postgres, allowances, isAway }: State): Promise<void> {
  const counted = [...allowances].filter(([, allowance]) => allowance.areRowsCounted());
  if (isAway || counted.length === 0) return;
  try {
    const rows = await postgres.query(READ_USED, [
      counted.map(([organisationId]) => organisationId),
    ]);
    for (const row of rows) {
      allowances.get(String(row['organisation']))?.receiveUsed({
        number: Number(row['number']),
        ofDay: Number(row['rows_of_day']),
        ofMonth: Number(row['rows_of_month']),
      });
    }
  } catch {
    // The renewal says that the database is away.
  }
}

async function prune({ postgres, isAway }: State): Promise<void> {
  if (isAway) return;
  try {
    for (const statement of PRUNE) await postgres.query(statement);
  } catch {
    // The next time.
  }
}
