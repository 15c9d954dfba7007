import { setTimeout as passTime } from 'node:timers/promises';
import { ExpectedError } from '@locmetrics/core/errors/expected-error';
import { PublishError } from '../problems/publish-error.ts';

/** A database that restarts, or hands over to another server, is back by then. */
const AWAY_MAX_MS = 120_000;
const TRY_AGAIN_MS = 500;

export type AwayOptions = {
  /** Whether an error says that the store cannot be reached now. */
  readonly isAway: (error: unknown) => boolean;
  /** How long it may be away, in milliseconds; default: two minutes. */
  readonly awayMaxMs?: number | undefined;
  /** Called before each wait. */
  readonly onWait: () => void;
  readonly signal?: AbortSignal | undefined;
};

/** Repeats work that needs the store of what is current while that is away, because all loading was done before. */
export async function retryWhileAway<Result>(
  work: () => Promise<Result>,
  { isAway, awayMaxMs = AWAY_MAX_MS, onWait, signal }: AwayOptions,
): Promise<Result> {
  let giveUpAtMs: number | undefined;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error)) throw error;
      giveUpAtMs ??= performance.now() + awayMaxMs;
      if (performance.now() >= giveUpAtMs) throw awayTooLong(error, awayMaxMs);
    }
    onWait();
    await passTime(TRY_AGAIN_MS, undefined, { signal });
  }
}

function awayTooLong(error: unknown, awayMaxMs: number): unknown {
  if (!(error instanceof ExpectedError)) return error;
  return new PublishError(
    `${error.message} The publish waited ${awayMaxMs / 1000} s for it and did not switch.`,
    `${error.hint} Then check whether the switch was made after all: locmetrics versions. If not, publish again: rows that have arrived in ClickHouse are not sent again.`,
  );
}
