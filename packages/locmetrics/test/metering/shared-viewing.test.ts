// @module-tag slow

import { openSharedLimits } from '@locmetrics/cluster/limits/open-shared-limits';
import { SHARED_LIMIT_SCHEMA } from '@locmetrics/cluster/limits/shared-limit-schema';
import { openPostgres, type Postgres } from '@locmetrics/cluster/postgres/open-postgres';
import { migratePostgres } from '@locmetrics/cluster/postgres/postgres-schema';
import { createRights } from '@locmetrics/core/domain/rights';
import { Stop } from '@locmetrics/core/runtime/stop';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import { openViewingLimits } from '@locmetrics/server/metering/open-viewing-limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasPostgres, type RunningPostgres, startPostgres } from '../postgres/start-postgres.ts';

const TIMEOUT_MS = 600_000;

describe.skipIf(!hasPostgres())(
  'rows to look at on two nodes (PostgreSQL is not installed where it is skipped)',
  () => {
    let server: RunningPostgres;
    let url: string;
    beforeAll(async () => {
      server = await startPostgres();
      url = await server.createDatabase();
    }, TIMEOUT_MS);
    afterAll(() => server.end());

    const rights = createRights({
      organisationId: 'acme',
      grants: [],
      limits: { rowsPerDay: 1000 },
    });
    const caller = { organisationId: 'acme', tokenId: 'token', scopes: [], rights };

    async function openNode(postgres: Postgres) {
      const shared = await openSharedLimits({
        postgres,
        observe: () => {},
        answerTimeoutMs: TIMEOUT_MS,
      });
      const authority = openLimitAuthority({
        shared,
        observe: () => {},
        readUsedRows: async () => ({ day: 0, month: 0 }),
      });
      const keeper = openLimitKeeper({ line: authority.openLine(), answerTimeoutMs: TIMEOUT_MS });
      const viewing = openViewingLimits(keeper, undefined);
      return {
        look: async (rows: number): Promise<boolean> => {
          const charge = await viewing.admit(caller, new Stop());
          return (
            (await charge?.(rows).then(
              () => true,
              () => false,
            )) === true
          );
        },
        read: async (rows: number): Promise<void> => {
          const { charge, end } = await keeper.admit(caller, new Stop());
          await charge(rows);
          end();
        },
        close: () => {
          keeper.close();
          return shared.close();
        },
      };
    }

    test('together they show a tenth of the limit, and its rows are left', async () => {
      const postgres = openPostgres(url);
      await migratePostgres(postgres, [SHARED_LIMIT_SCHEMA]);
      const nodes = [await openNode(postgres), await openNode(postgres)];
      let seen = 0;
      // 200 rows are asked for, and 100 may be seen.
      for (let asked = 0; asked < 20; asked += 1) {
        for (const node of nodes) if (await node.look(5)) seen += 5;
      }
      expect(seen).toBe(100);
      // A node can hold some rows more than it has read, for what comes next.
      await nodes[0]?.read(500);
      await nodes[1]?.read(400);
      await expect(nodes[0]?.read(200)).rejects.toMatchObject({ limit: 'rowsPerDay' });
      for (const node of nodes) await node.close();
      await postgres.close();
    });
  },
);
