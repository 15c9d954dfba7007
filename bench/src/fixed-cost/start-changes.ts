import { setTimeout as sleep } from 'node:timers/promises';
import { askOnce } from '../ask-once.ts';
import type { Target } from '../driver/load-order.ts';
import type { Locmetrics } from '../systems/locmetrics.ts';
import { member } from '../workloads/read-json.ts';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import type { AdminCalls, CreatedToken } from './admin-calls.ts';
import type { Organisation } from './organisation.ts';
import { callRequest, describeRequest } from './questions.ts';

/** Revocations and publishes that run while requests are measured, each checked over both edges. */
export type Changes = AsyncDisposable & {
  /** Ends the changes. Throws if one of them did not hold for the next request. */
  readonly end: () => Promise<{
    readonly revocations: number;
    readonly publishes: number;
    /** The answers to organisations, each of which has a record in the ledger. */
    readonly answers: number;
  }>;
};

/**
 * Revokes a token each second, in turn by the service and by the command, and publishes a small dataset every
 * five. The next request over each edge must be refused, and describe the new version.
 */
export function startChanges({
  http,
  grpc,
  admin,
  locmetrics,
  manifest,
  callers,
}: {
  readonly http: Target;
  readonly grpc: Target;
  readonly admin: AdminCalls;
  readonly locmetrics: Locmetrics;
  readonly manifest: string;
  /** A new token of each in turn is revoked. */
  readonly callers: readonly Organisation[];
}): Changes {
  const ending = new AbortController();
  const done = { revocations: 0, publishes: 0, answers: 0 };
  const edges = [
    { target: http, requestOf: describeNames },
    { target: grpc, requestOf: callMetric },
  ];
  const revoke = async (given: CreatedToken, byCommand: boolean): Promise<void> => {
    for (const { target, requestOf } of edges) await askOnce(target, requestOf(given));
    done.answers += edges.length;
    await (byCommand ? locmetrics.revokeToken(given.tokenId) : admin.revokeToken(given.tokenId));
    for (const { target, requestOf } of edges) {
      const isAnswered = await askOnce(target, requestOf(given)).then(
        () => true,
        () => false,
      );
      if (isAnswered) throw new Error(`The revoked token ${given.tokenId} was accepted.`);
    }
    done.revocations += 1;
  };
  const publish = async (asker: CreatedToken): Promise<void> => {
    const before = await versionOfNames(http, asker);
    await locmetrics.publish(manifest, ['bench.names']);
    const after = await versionOfNames(http, asker);
    done.answers += 2;
    if (before === after) throw new Error(`After a publish, ${before} was still answered.`);
    done.publishes += 1;
  };
  const tokenOf = (turn: number): Promise<CreatedToken> => {
    const organisation = callers[turn % callers.length];
    if (organisation === undefined) throw new Error('There is no organisation to ask for.');
    return admin.createToken(organisation.id);
  };
  const running = Promise.all([
    every(REVOKE_EVERY_MS, ending.signal, async (turn) =>
      revoke(await tokenOf(turn), turn % 2 === 1),
    ),
    every(PUBLISH_EVERY_MS, ending.signal, async (turn) => publish(await tokenOf(turn))),
  ]);
  // A failure is thrown by `end`; until then it must not be an unhandled rejection.
  running.catch(() => undefined);
  const end = async () => {
    ending.abort();
    await running;
    return done;
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end().catch(() => undefined)) };
}

const REVOKE_EVERY_MS = 1000;
const PUBLISH_EVERY_MS = 5000;

/** The first time is at once, so that a run of any length has each change. */
async function every(
  intervalMs: number,
  signal: AbortSignal,
  work: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; turn === 0 || !signal.aborted; turn++) {
    const begunMs = performance.now();
    await work(turn);
    const restMs = intervalMs - (performance.now() - begunMs);
    await sleep(Math.max(0, restMs), undefined, { signal }).catch(() => undefined);
  }
}

function describeNames({ organisation, token }: CreatedToken): HttpRequest {
  return describeRequest(organisation, token, 'bench.names');
}

function callMetric({ organisation, token }: CreatedToken): GrpcRequest {
  return callRequest(organisation, token);
}

async function versionOfNames(target: Target, asker: CreatedToken): Promise<unknown> {
  const { body } = await askOnce(target, describeNames(asker));
  return member(member(body, 'dataReference'), 'version');
}
