// @module-tag slow

import { join } from 'node:path';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';
import { damageRow } from '../auth/damage-row.ts';
import { openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { linesOf, runCommand } from './run-command.ts';
import { startService } from './start-service.ts';

test('a damaged row refuses its organisation alone, is named everywhere, and is restored while the service runs', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const backup = join(folder, 'backup');
  const run = (...given: readonly string[]) => runCommand([...given, '--data', data]);
  const tokenOf = async (org: string): Promise<string> => {
    await run('org', 'create', org, '--id', org);
    const created = await run('token', 'create', '--org', org, '--name', 'x', '--json');
    return JSON.parse(created.data).token;
  };
  const [acme, globex] = [await tokenOf('acme'), await tokenOf('globex')];
  await run('limits', 'set', 'acme', '--rows-per-day', '5');
  await run('backup', backup);
  const serving = await startService(data, ['--grpc-plaintext', '127.0.0.1:0']);
  const ask = async (token: string): Promise<unknown> => {
    const response = await fetch(`${serving.url}/v3/catalog/listDataReferences`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const { reason } = (await response.json()) as { readonly reason?: string };
    return reason ?? response.status;
  };
  const ready = async (): Promise<unknown> => (await fetch(`${serving.url}/readyz`)).json();
  // Rights in memory stay right, so this organisation is not asked about yet.
  expect(await ask(globex)).toBe(200);
  expect(await ready()).not.toHaveProperty('damagedRights');

  damageRow(join(data, 'control.sqlite'), {
    table: 'organisation_limit',
    organisationId: 'acme',
    column: 'rows_per_day',
    value: 5_000_000,
  });
  expect([await ask(acme), await ask(globex)]).toEqual(['RIGHTS_DAMAGED', 200]);
  const client = openGrpcClient(serving.addressOf('grpc'), { token: acme });
  const refused = await client.refusal(catalogV3.CatalogQuery.method.listRecords, {
    dataReferenceName: 'shop.codes',
  });
  expect(refused).toMatchObject({ reason: 'RIGHTS_DAMAGED' });
  client.close();
  expect(await ready()).toMatchObject({ status: 'ready', damagedRights: 1 });
  await expect
    .poll(() => linesOf(serving))
    .toContainEqual(
      expect.objectContaining({
        kind: 'rights_damaged',
        table: 'organisation_limit',
        rowId: 'acme',
        organisationId: 'acme',
      }),
    );
  const verified = await run('verify');
  expect(verified).toMatchObject({
    code: 1,
    messages: expect.stringContaining(
      `organisation_limit 'acme': its content does not fit its checksum`,
    ),
  });

  const repaired = await run('control', 'repair', backup, '--json');
  expect(JSON.parse(repaired.data)).toEqual({
    rows: [{ table: 'organisation', rowId: 'acme', result: 'restored' }],
  });
  expect([await ask(acme), await ask(globex)]).toEqual([200, 200]);
  expect((await run('verify')).code).toBe(0);
  expect(await run('control', 'repair', backup)).toMatchObject({
    code: 0,
    messages: expect.stringContaining('No row that decides rights is damaged.'),
  });
});
