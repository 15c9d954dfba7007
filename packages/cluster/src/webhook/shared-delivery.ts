import type { Postgres } from '../postgres/open-postgres.ts';
import { readCurrent } from '../versions/commit-switch.ts';
import { takeSharedLock } from '../versions/shared-lock.ts';
import type { DeliveryStore } from './delivery-store.ts';

/** The state and the lock in PostgreSQL, so that one node delivers each switch. */
export function sharedDelivery(postgres: Postgres): DeliveryStore {
  return {
    takeLock: (waitMs) => takeSharedLock(postgres, 'webhook', waitMs),
    readCurrent: async () => (await readCurrent(postgres)).current,
    readState: async () => {
      const [row] = await postgres.query('SELECT id, told FROM webhook_delivery');
      if (row === undefined) return undefined;
      return { format: 1, id: String(row['id']), told: Number(row['told']) };
    },
    replaceState: async (before, { id, told }) => {
      const changed =
        before === undefined
          ? await postgres.query(
              `INSERT INTO webhook_delivery (id, told) VALUES ($1, $2)
               ON CONFLICT (name) DO NOTHING RETURNING id`,
              [id, told],
            )
          : await postgres.query(
              `UPDATE webhook_delivery SET id = $1, told = $2 WHERE id = $3 AND told = $4
               RETURNING id`,
              [id, told, before.id, before.told],
            );
      return changed.length > 0;
    },
  };
}
