import { wholeGrant } from '@locmetrics/core/domain/grant';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { afterEach, expect, test } from 'vitest';
import { ExportFailedError, type RecordsExport } from '../src/index.ts';
import { useSample } from './open-sample.ts';

/** Whether the reads after the first page wait until they are stopped. */
let isHeld = false;
afterEach(() => {
  isHeld = false;
});

const { client, data } = useSample({
  openEngine: (stores) => {
    const engine = openEmbeddedEngine(stores);
    return {
      ...engine,
      run: async (plan, signal) => {
        if (isHeld && plan.kind === 'batch') {
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', resolve, { once: true });
          });
          signal.throwIfAborted();
        }
        return engine.run(plan, signal);
      },
    };
  },
});

const VISITS = { dataReferenceName: 'ml_visitation.foot_traffic_month' };

test('an export is awaited, with its progress, and its files need no token', async () => {
  const seen: RecordsExport[] = [];
  const { fileExportInfo, rowsWritten } = await client().export(
    { ...VISITS, fields: ['location_id'], fileConfig: { filenamePrefix: 'visits-' } },
    { onProgress: (progress) => seen.push(progress) },
  );
  expect(seen[0]?.status).toBe('RUNNING');
  expect(seen.at(-1)?.status).toBe('COMPLETED');
  const [file] = fileExportInfo?.files ?? [];
  expect(file?.name).toBe('visits-0.csv');
  const text = await (await fetch(file?.url ?? '')).text();
  expect(text.split('\r\n')).toHaveLength(rowsWritten + 2);
});

test('an export that nobody waits for any more is deleted', async () => {
  isHeld = true;
  const stop = new AbortController();
  const reason = new Error('The page was left.');
  const awaited = client().export(VISITS, {
    signal: stop.signal,
    onProgress: ({ rowsWritten }) => {
      if (rowsWritten > 0) stop.abort(reason);
    },
  });
  await expect(awaited).rejects.toBe(reason);
  const statuses = (await client().listRecordsExports()).map(({ status }) => status);
  expect(statuses).not.toContain('RUNNING');
});

test('an export that fails throws an error with its reason', async () => {
  isHeld = true;
  const { store } = data();
  store.createOrganisation({ id: 'other', name: 'Other' });
  const { grant } = store.addGrant('other', wholeGrant('', VISITS.dataReferenceName));
  const { tokenText } = store.createToken({ organisationId: 'other', name: 'x' });
  const other = client({ token: tokenText, billingContext: 'other' });
  const awaited = other.export(VISITS, {
    onProgress: ({ status }) => {
      if (status !== 'RUNNING') return;
      const terms = { ...wholeGrant('', VISITS.dataReferenceName), fields: ['location_id'] };
      store.replaceGrant(grant.grantId, terms);
    },
  });
  await expect(awaited).rejects.toThrow(ExportFailedError);
  await expect(awaited).rejects.toMatchObject({ reason: 'EXPORT_ENDED' });
});
