import { expect, test } from 'vitest';
import { serveLocally } from '../../locmetrics/test/support/listen-locally.ts';
import { type AdminClient, createAdminClient, ServiceError } from '../src/admin.ts';
import { ADMIN_OPERATIONS } from '../src/generated/admin-operations.ts';
import { useSample } from './open-sample.ts';

const { url, data } = useSample();

const admin = (request = fetch): AdminClient =>
  createAdminClient({ url: url(), token: data().adminToken, fetch: request, retries: 0 });

test('an organisation gets a grant, limits and tokens, and loses them', async () => {
  const organisation = await admin().createOrganisation({ name: 'Somewhere', id: 'somewhere' });
  expect(organisation).toMatchObject({ id: 'somewhere', suspended: null });
  const organisationId = organisation.id;
  const filters = [{ fieldName: 'region', operator: '==', value: 'CA' }];
  const { grant, names } = await admin().addGrant({
    ...{ organisationId, pattern: 'ml_visitation.places', filters },
  });
  expect(names).toEqual(['ml_visitation.places']);
  const created = await admin().createToken({ organisationId, name: 'reports' });
  const rotated = await admin().rotateToken({ tokenId: created.tokenId, overlap: '1h' });
  await admin().revokeToken({ tokenId: rotated.tokenId });
  const { tokens } = await admin().listTokens({ organisationId });
  expect(tokens.map(({ state }) => state).toSorted()).toEqual(['active', 'revoked']);
  await admin().setLimits({ organisationId, rowsPerDay: 10 });
  expect(await admin().getLimits({ organisationId })).toMatchObject({ rowsPerDay: 10 });
  await admin().suspendOrganisation({ organisationId });
  expect(await admin().resumeOrganisation({ organisationId })).toMatchObject({ suspended: null });
  await admin().removeGrant({ grantId: grant.grantId });
  const { entries } = await admin().listAudit({ organisationId, pageSize: 3 });
  expect(entries.map(({ action }) => action)).toEqual([
    'grant.remove',
    'organisation.resume',
    'organisation.suspend',
  ]);
});

test('a refusal is the error of the main client, with the place in the request', async () => {
  const error = await admin()
    .addGrant({ organisationId: 'demo', pattern: 'ml_visitation.places', fields: ['citty'] })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ status: 400, errors: [{ pointer: '/fields/0' }] });
});

test.each(Object.entries(ADMIN_OPERATIONS))('%s is sent as the contract says', async (id, to) => {
  const sent: string[] = [];
  const watched = admin(async (address, init) => {
    sent.push(`${init?.method} ${new URL(String(address)).pathname} ${init?.body}`);
    return Response.json({});
  });
  const ids = {
    ...{ organisationId: 'a/b', tokenId: 'a/b', grantId: 'a/b', dataset: 'a/b', version: 'a/b' },
  };
  // Each call takes these ids, or has more members, which nobody checks here.
  const call = watched[id as keyof AdminClient] as (request: object) => Promise<unknown>;
  await call(ids);

  const [method, path] = to;
  expect(sent).toHaveLength(1);
  const [sentMethod, sentPath, body] = sent[0]?.split(' ') ?? [];
  expect([sentMethod, sentPath]).toEqual([method, path.replace(/\{\w+\}/g, 'a%2Fb')]);
  expect(body === 'undefined').toBe(method === 'GET' || method === 'DELETE');
});

test('a request that changes something is never repeated, and one that reads is', async () => {
  let requests = 0;
  const { url } = await serveLocally((request) => {
    requests += 1;
    request.socket.destroy();
  });
  const client = createAdminClient({ url, token: 'any', retries: 1 });
  await expect(client.createOrganisation({ name: 'Somewhere' })).rejects.toThrow('got no answer');
  expect(requests).toBe(1);
  await expect(client.removeGrant({ grantId: 'any' })).rejects.toThrow('got no answer');
  expect(requests).toBe(2);
  await expect(client.listOrganisations()).rejects.toThrow('got no answer');
  expect(requests).toBe(4);
});
