import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fillUp, mayMount, withSmallDisk } from '../support/full-disk.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';
import { startService } from './start-service.ts';

const inFolder = useTemporaryFolder();

const FULL = (data: string) =>
  `The disk of ${data} is full: nothing was changed.\nFree some space, for example with locmetrics gc. Tokens can still be revoked, grants removed and organisations suspended.\n`;

// A small disk of its own needs the right to mount.
test.runIf(mayMount)(
  'without a service, commands on a full disk do what needs no space, and fail with a message otherwise',
  () =>
    withSmallDisk(inFolder('disk'), '4m', async () => {
      const data = join(inFolder('disk'), 'data');
      const run = (...given: readonly string[]) => runCommand([...given, '--data', data]);
      await run('org', 'create', 'A', '--id', 'a');
      const made = await run('token', 'create', '--org', 'a', '--name', 'x', '--json');
      const { tokenId } = JSON.parse(made.data);
      await run('usage');
      fillUp(inFolder('disk/filling'));
      const refused = { code: 1, data: '', messages: FULL(data) };
      expect(await run('org', 'create', 'B')).toEqual(refused);
      expect(await run('token', 'create', '--org', 'a', '--name', 'y')).toEqual(refused);
      expect(
        await run('usage', '--org', 'a', '--from', '2026-01-01', '--to', '2026-01-31'),
      ).toEqual({
        code: 0,
        data: '',
        messages: 'No usage from 2026-01-01 to 2026-01-31.\n',
      });
      expect((await run('org', 'suspend', 'a')).code).toBe(0);
      const revoked = await run('token', 'revoke', tokenId);
      expect(revoked).toMatchObject({ code: 0, messages: '' });
      const listed = await run('token', 'list', '--json');
      expect(JSON.parse(listed.data)).toMatchObject({ tokens: [{ tokenId, state: 'revoked' }] });
      rmSync(inFolder('disk/filling'));
      expect((await run('org', 'create', 'B')).code).toBe(0);
    }),
);

test.runIf(mayMount)(
  'a service on a full disk reports what fails, revokes tokens, answers usage, and continues once there is space',
  { tags: 'slow' },
  () =>
    withSmallDisk(inFolder('served'), '8m', async () => {
      const data = join(inFolder('served'), 'data');
      const run = (...given: readonly string[]) => runCommand([...given, '--data', data]);
      const tokenOf = async (...given: readonly string[]) =>
        JSON.parse((await run('token', 'create', '--org', 'a', '--json', ...given)).data);
      await run('org', 'create', 'A', '--id', 'a');
      await run('grant', 'add', 'a', '*');
      const caller = await tokenOf('--name', 'caller');
      const second = await tokenOf('--name', 'second');
      const admin = await tokenOf('--name', 'admin', '--scope', 'admin');
      const serving = await startService(data);
      const ask = async (
        method: string,
        path: string,
        { token }: { token: string },
        body = '{}',
      ) => {
        const answer = await fetch(`${serving.url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(method === 'GET' ? {} : { body }),
        });
        return { ...Object(await answer.json()), status: answer.status };
      };
      const list = (token = caller) => ask('POST', '/v3/catalog/listDataReferences', token);
      const ready = () => ask('GET', '/readyz', caller);
      const used = () => ask('GET', '/v1/usage', caller);
      expect([(await list()).status, (await ready()).status]).toEqual([200, 200]);
      fillUp(inFolder('served/filling'));
      await expect.poll(ready).toMatchObject({
        status: 503,
        reason: 'NOT_READY',
        detail:
          'Not answering: the usage ledger. The disk is full: requests for data are refused, because their usage cannot be recorded, and nothing can be added to the control store. Tokens can be revoked, grants removed and organisations suspended.',
      });
      // The block of the last record has space for some more.
      const recorded = 1 + (await untilRefused(list));
      expect(await list()).toMatchObject({
        status: 503,
        reason: 'USAGE_NOT_RECORDED',
        detail: 'The usage of the request could not be recorded: the disk is full.',
      });
      const create = () =>
        ask('POST', '/v1/admin/tokens', admin, '{"organisationId":"a","name":"z"}');
      await untilRefused(create);
      const refused = {
        status: 503,
        reason: 'DISK_FULL',
        detail: 'The disk of the data directory is full: nothing was changed.',
        hint: 'Free some space. Tokens can still be revoked, grants removed and organisations suspended.',
      };
      expect(await create()).toMatchObject(refused);
      expect(await ask('POST', '/v1/admin/organisations', admin, '{"name":"B"}')).toMatchObject(
        refused,
      );
      expect(await used()).toMatchObject({ status: 200, total: { requests: recorded } });
      const path = `/v1/admin/tokens/${second.tokenId}/revoke`;
      expect(await ask('POST', path, admin)).toMatchObject({ tokenId: second.tokenId });
      expect((await list(second)).reason).toBe('TOKEN_INVALID');
      expect((await run('token', 'revoke', admin.tokenId)).code).toBe(0);
      expect((await create()).reason).toBe('TOKEN_INVALID');
      const usage = await run('usage', '--json');
      expect(JSON.parse(usage.data)).toMatchObject({ total: { requests: recorded } });
      rmSync(inFolder('served/filling'));
      await expect.poll(async () => (await ready()).status).toBe(200);
      expect((await list()).status).toBe(200);
      expect(await used()).toMatchObject({ total: { requests: recorded + 1 } });
      serving.kill('SIGTERM');
      expect((await serving.ended).code).toBe(0);
    }),
);

/** The number of times that something succeeded before it was refused. */
async function untilRefused(ask: () => Promise<{ readonly status: number }>): Promise<number> {
  for (let done = 0; ; done += 1) if ((await ask()).status !== 200) return done;
}
