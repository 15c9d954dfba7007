import { whenUnlocked } from '@locmetrics/server/auth/when-unlocked';
import { followChanges } from '../postgres/follow-changes.ts';
import type { Postgres } from '../postgres/open-postgres.ts';
import { openLastUsedExchange } from './exchange-last-used.ts';
import { freshForOf } from './fresh-for.ts';
import { machineMs } from './freshness.ts';
import type { SharedControlStore } from './open-shared-store.ts';

/** Keeps the mirror of a node up to date, as long as it is open. */
export type StoreFollower = {
  /** The time since the mirror was last known to be up to date, in ms. */
  readonly lagMs: () => number;
  /** Sends the last times of last use. */
  readonly close: () => Promise<void>;
};

export type FollowOptions = {
  readonly store: SharedControlStore;
  /** A connection of its own for polls, with a short timeout. */
  readonly postgres: Postgres;
  readonly awayMaxMs: number;
  /** Brings other mirrors up to date with each poll, before this one counts as fresh. */
  readonly followToo?: (() => Promise<void>) | undefined;
  /** Tells until when the mirror is fresh, as `machineMs`; at most a few times a second. */
  readonly onFresh: (untilMs: number) => void;
  /** Called once per outage. */
  readonly onAway: (error: unknown) => void;
  readonly onBack: (awayMs: number) => void;
  /** Called when times of last use could not be exchanged; they are later. */
  readonly onLastUsedFailed: (error: unknown) => void;
};

const TELL_EVERY_MS = 250;
const NOTE_EVERY_MS = 5_000;

export function followStore({
  store,
  postgres,
  awayMaxMs,
  followToo = async () => {},
  onFresh,
  onAway,
  onBack,
  onLastUsedFailed,
}: FollowOptions): StoreFollower {
  const freshForMs = freshForOf(awayMaxMs);
  const lastUsed = openLastUsedExchange(postgres, store.mirror);
  let polledMs = machineMs();
  let reportedMs = Number.NEGATIVE_INFINITY;
  let notedMs = Number.NEGATIVE_INFINITY;
  let awaySinceMs: number | undefined;

  const fail = (error: unknown): void => {
    if (awaySinceMs !== undefined) return;
    awaySinceMs = polledMs;
    onAway(error);
  };
  const poll = async (): Promise<void> => {
    const startedMs = machineMs();
    const startedTime = Date.now();
    try {
      await store.bringUpToDate();
      await followToo();
    } catch (error) {
      fail(error);
      return;
    }
    polledMs = startedMs;
    if (awaySinceMs !== undefined) onBack(Math.round(startedMs - awaySinceMs));
    awaySinceMs = undefined;
    if (startedMs - reportedMs >= TELL_EVERY_MS) {
      reportedMs = startedMs;
      onFresh(startedMs + freshForMs);
    }
    if (startedMs - notedMs < NOTE_EVERY_MS) return;
    notedMs = startedMs;
    try {
      await whenUnlocked(() => store.mirror().notePoll(startedTime));
      await lastUsed.exchange();
    } catch (error) {
      onLastUsedFailed(error);
    }
  };
  // Without notices a poll each second finds what has changed.
  const follower = followChanges(postgres, poll, () => {});
  return {
    lagMs: () => machineMs() - polledMs,
    close: async () => {
      await follower.close();
      // The times are no more exact than some seconds, also if this fails.
      await lastUsed.exchange().catch(() => {});
    },
  };
}
