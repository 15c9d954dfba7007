import { whenUnlocked } from '@locmetrics/server/auth/when-unlocked';
import type { Postgres } from '../postgres/open-postgres.ts';
import type { LastUse, Mirror } from './open-mirror.ts';

/** Later than any delay between nodes whose clocks are set; older times are read once. */
const OVERLAP_MS = 300_000;

/** Sends the times of last use of this node to PostgreSQL, and copies later ones of other nodes into its mirror. */
export type LastUsedExchange = { readonly exchange: () => Promise<void> };

export function openLastUsedExchange(postgres: Postgres, mirror: () => Mirror): LastUsedExchange {
  let sent = new Map<string, number>();
  let since = 0;
  return {
    exchange: async () => {
      const own = mirror().readLastUsed();
      const later = own.filter(([id, time]) => time > (sent.get(id) ?? 0));
      if (later.length > 0) await send(postgres, later);
      sent = new Map(own);
      const found = await read(postgres, since);
      const times = found.filter(([id, time]) => time > (sent.get(id) ?? 0));
      if (times.length > 0) await whenUnlocked(() => mirror().writeLastUsed(times));
      for (const [id, time] of times) sent.set(id, time);
      since = found.reduce((latest, [, time]) => Math.max(latest, time - OVERLAP_MS), since);
    },
  };
}

/** Rows are locked in one order, so that nodes do not wait for each other in a circle. */
async function send(postgres: Postgres, times: readonly LastUse[]): Promise<void> {
  await postgres.query(
    `WITH sent AS (SELECT * FROM unnest($1::text[], $2::bigint[]) AS sent (id, time)),
     held AS (
       SELECT token.id, time FROM token JOIN sent ON sent.id = token.id
       WHERE coalesce(last_used, 0) < time ORDER BY token.id FOR NO KEY UPDATE OF token
     )
     UPDATE token SET last_used = greatest(last_used, time) FROM held WHERE token.id = held.id`,
    [times.map(([id]) => id), times.map(([, time]) => time)],
  );
}

async function read(postgres: Postgres, since: number): Promise<readonly LastUse[]> {
  const rows = await postgres.query('SELECT id, last_used FROM token WHERE last_used > $1', [
    since,
  ]);
  return rows.map((row) => [String(row['id']), Number(row['last_used'])]);
}
