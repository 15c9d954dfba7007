import { openPostgres } from '@locmetrics/cluster/postgres/open-postgres';
import type { RunningPostgres } from './start-postgres.ts';

/** A stop of PostgreSQL, during which others must give up sooner than a statement that waits as long as any may (31 s). */
export type PreparedStop = {
  readonly stop: () => void;
  readonly hasLongestWaitEnded: () => boolean;
  readonly resume: () => Promise<void>;
};

export async function prepareStop(server: RunningPostgres, url: string): Promise<PreparedStop> {
  const postgres = openPostgres(url);
  // A new connection would be given up sooner.
  await postgres.query('SELECT 1');
  let waiting: Promise<unknown> | undefined;
  let hasEnded = false;
  const end = (): void => {
    hasEnded = true;
  };
  return {
    stop: () => {
      server.pause();
      waiting = postgres.query('SELECT 1').then(end, end);
    },
    hasLongestWaitEnded: () => hasEnded,
    resume: async () => {
      server.resume();
      await waiting;
      await postgres.close();
    },
  };
}
