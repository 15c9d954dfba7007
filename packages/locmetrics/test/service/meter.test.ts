import { createRights } from '@locmetrics/core/domain/rights';
import type { UsageRecord } from '@locmetrics/core/domain/usage-record';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { addUpRecords } from '@locmetrics/server/metering/add-up-records';
import { openLimitAuthority } from '@locmetrics/server/metering/open-limit-authority';
import { openLimitKeeper } from '@locmetrics/server/metering/open-limit-keeper';
import { readUsageLine, toUsageLine } from '@locmetrics/server/metering/usage-line';
import { createMeter } from '@locmetrics/server/service/meter';
import { expect, test } from 'vitest';
import { createCaller } from '../support/test-caller.ts';

const ORGANISATION_ID = 'acme';

/** A meter of an organisation with ten rows a day, and the records of its ledger. */
function openMeter(broken: () => boolean = () => false) {
  const authority = openLimitAuthority({
    readUsedRows: async () => ({ day: 0, month: 0 }),
    observe: () => {},
  });
  const records: UsageRecord[] = [];
  const meter = createMeter({
    limits: openLimitKeeper({ line: authority.openLine() }),
    ledger: {
      record: async (record) => {
        if (broken()) throw new ServiceError('NOT_READY', 'The disk is full.');
        records.push(record);
      },
    },
  });
  const organisationId = ORGANISATION_ID;
  const rights = createRights({ organisationId, grants: [], limits: { rowsPerDay: 10 } });
  const caller = { ...createCaller({ organisationId, tokenId: 'token' }), rights };
  const admit = () => {
    const { signal } = new AbortController();
    return meter.admit({ caller, requestId: 'request', signal });
  };
  return { admit, records };
}

const usageOf = (rows: number) => ({ operation: 'streamRecords', request: {}, rows, bytes: 100 });

test('an answer that cannot be recorded costs no rows', async () => {
  let isBroken = true;
  const { admit } = openMeter(() => isBroken);
  const answer = async (rows: number): Promise<void> => {
    const { complete, end } = await admit();
    try {
      await complete(usageOf(rows));
    } finally {
      end();
    }
  };
  await expect(answer(10)).rejects.toMatchObject({ reason: 'NOT_READY' });
  isBroken = false;
  await answer(10);
  await expect(answer(1)).rejects.toMatchObject({ reason: 'LIMIT_EXCEEDED' });
});

test('pieces of an answer are charged one by one, and count as one request', async () => {
  const { admit, records } = openMeter();
  const pieces = await (await admit()).openPieces(undefined);
  await pieces.add(usageOf(6));
  await pieces.add(usageOf(4));
  await expect(pieces.add(usageOf(1))).rejects.toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  pieces.end();
  expect(records.map(({ rows, isContinued = false }) => [rows, isContinued])).toEqual([
    [6, false],
    [4, true],
  ]);
  expect(addUpRecords(records)).toMatchObject([{ requests: 1, rows: 10, bytes: 200 }]);
  await expect((await admit()).complete(usageOf(1))).rejects.toMatchObject({
    reason: 'LIMIT_EXCEEDED',
  });
});

test('an answer of a known number of rows beyond a limit is refused before its first piece', async () => {
  const { admit, records } = openMeter();
  const { openPieces } = await admit();
  await expect(openPieces(11)).rejects.toMatchObject({ reason: 'LIMIT_EXCEEDED' });
  expect(records).toEqual([]);
});

test('rows that were charged before and not sent are refunded', async () => {
  const { admit, records } = openMeter();
  const pieces = await (await admit()).openPieces(10);
  await pieces.add(usageOf(3));
  await expect((await admit()).complete(usageOf(1))).rejects.toMatchObject({
    reason: 'LIMIT_EXCEEDED',
  });
  pieces.end();
  await (await admit()).complete(usageOf(7));
  await expect((await admit()).complete(usageOf(1))).rejects.toMatchObject({
    reason: 'LIMIT_EXCEEDED',
  });
  expect(records.map(({ rows }) => rows)).toEqual([3, 7]);
});

test('the line of a later piece is read as one', () => {
  const record: UsageRecord = {
    time: 1,
    organisationId: ORGANISATION_ID,
    tokenId: 'token',
    operation: 'streamRecords',
    resource: 'a.b',
    rows: 1,
    bytes: 2,
    requestId: 'request',
    isContinued: true,
  };
  expect(readUsageLine(toUsageLine(record))).toEqual(record);
});
