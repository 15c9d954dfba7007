import type { UsageRecord } from '@locmetrics/core/domain/usage-record';

export const RECORD: UsageRecord = {
  time: Date.parse('2026-03-04T05:06:07.890Z'),
  organisationId: 'acme',
  tokenId: 'token1',
  operation: 'listRecords',
  resource: 'shop.stores',
  rows: 3,
  bytes: 100,
  requestId: 'request-1',
};
