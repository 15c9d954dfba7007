import { ServiceError } from '@locmetrics/core/errors/service-error';
import { openLedger } from '@locmetrics/server/metering/open-ledger';
import { RECORD } from './usage-record.ts';

/**
 * Records 2000 requests, some at the same time. Prints the ids of the recorded ones, and the errors of the
 * others.
 */
const [store = '', segments = ''] = process.argv.slice(2);
const ledger = openLedger({ files: { store, segments }, sync: 'normal', observe: () => {} });
const recorded: string[] = [];
const reasons = new Set<string>();
for (let round = 0; round < 200; round += 1) {
  const ids = Array.from({ length: 10 }, (_, index) => `request-${round}-${index}`);
  await Promise.all(
    ids.map((requestId) =>
      ledger.record({ ...RECORD, requestId }).then(
        () => recorded.push(requestId),
        (error: unknown) => reasons.add(ServiceError.from(error).reason),
      ),
    ),
  );
}
await ledger.close();
process.stdout.write(JSON.stringify({ recorded, reasons: [...reasons] }));
