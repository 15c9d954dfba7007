import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { OrganisationLimits } from '@locmetrics/core/domain/rights';
import type { UsedRows } from '@locmetrics/server/metering/usage-query';
import type { FromNode, NodeLoad, NodeReport, ToNode } from './limit-node.ts';

const SCRIPT = fileURLToPath(new URL('./limit-node.ts', import.meta.url));

export type LimitNode = {
  readonly setLimits: (limits: OrganisationLimits) => Promise<NodeReport>;
  /** Sends requests, and reports when all have been answered. */
  readonly load: (load: Partial<NodeLoad>) => Promise<NodeReport>;
  readonly report: () => Promise<NodeReport>;
  /** Ends it without a message; what was asked resolves with its rows, and other counts of some milliseconds before. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A union stays one. */
type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never;

/** Starts a machine of the tests. */
export async function startLimitNode(
  url: string,
  {
    workers = 2,
    used = { day: 0, month: 0 },
    seed = 1,
    answerTimeoutMs,
  }: {
    readonly workers?: number;
    readonly used?: UsedRows;
    readonly seed?: number;
    /** A database that has not answered by then counts as away. */
    readonly answerTimeoutMs: number;
  },
): Promise<LimitNode> {
  const child = fork(
    SCRIPT,
    [url, String(workers), JSON.stringify(used), String(seed), String(answerTimeoutMs)],
    {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      serialization: 'advanced',
    },
  );
  const ended = once(child, 'close');
  /** The rows of each answer, when the database is asked and when it has answered, a line each. */
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  const waiting = new Map<number, (report: NodeReport) => void>();
  let last: NodeReport | undefined;
  // The process sends nothing else.
  child.on('message', ({ id, report }: FromNode) => {
    last = report;
    waiting.get(id)?.(report);
    waiting.delete(id);
  });
  let lastId = 0;
  const ask = (command: WithoutId<ToNode>): Promise<NodeReport> => {
    lastId += 1;
    const { promise, resolve } = Promise.withResolvers<NodeReport>();
    waiting.set(lastId, resolve);
    child.send({ ...command, id: lastId } satisfies ToNode);
    return promise;
  };
  await once(child, 'message');
  return {
    setLimits: (limits) => ask({ kind: 'limits', limits }),
    load: (load) =>
      ask({
        kind: 'load',
        load: {
          organisationId: 'acme',
          forMs: 1000,
          untilRefused: false,
          perSecond: 100,
          rowsMax: 0,
          holdMs: 0,
          ...load,
        },
      }),
    report: () => ask({ kind: 'report' }),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      if (last === undefined) return;
      const rows = { rows: sumOf('used', printed), rowsAsked: sumOf('asked', printed) };
      for (const resolve of waiting.values()) resolve({ ...last, ...rows });
    },
    close: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.send({ kind: 'close', id: 0 } satisfies ToNode);
      }
      await ended;
    },
  };
}

function sumOf(word: string, printed: string): number {
  const numbers = printed.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'));
  return [...numbers].reduce((sum, [, number]) => sum + Number(number), 0);
}
