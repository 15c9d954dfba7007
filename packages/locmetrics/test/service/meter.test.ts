import { createRights } from '@locmetrics/core/domain/rights';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import { createMeter } from '@locmetrics/server/service/meter';
import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';

test('an answer that cannot be recorded costs no rows', async () => {
  let isBroken = true;
  const authority = openLimitAuthority({
    readUsedRows: async () => ({ day: 0, month: 0 }),
    observe: () => {},
  });
  const meter = createMeter({
    limits: openLimitKeeper({ line: authority.openLine() }),
    ledger: {
      record: async () => {
        if (isBroken) throw new ServiceError('NOT_READY', 'The disk is full.');
      },
    },
  });
  const organisationId = 'acme';
  const rights = createRights({ organisationId, grants: [], limits: { rowsPerDay: 10 } });
  const caller = { ...createCaller({ organisationId, tokenId: 'token' }), rights };
  const answer = async (rows: number): Promise<void> => {
    const { signal } = new AbortController();
    const { complete, end } = await meter.admit({ caller, requestId: 'request', signal });
    try {
      await complete({ operation: 'listRecords', request: {}, rows, bytes: 100 });
    } finally {
      end();
    }
  };
  await expect(answer(10)).rejects.toMatchObject({ reason: 'NOT_READY' });
  isBroken = false;
  await answer(10);
  await expect(answer(1)).rejects.toMatchObject({ reason: 'LIMIT_EXCEEDED' });
});
