import type { DescMethodUnary, DescService } from '@bufbuild/protobuf';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { catalogV1, catalogV3, catalogV3alpha, mapsV1 } from '@locmetrics/contract/grpc';
import type { HttpApp } from '@locmetrics/server/edge/http/http-app';
import { expectAccess } from '@locmetrics/server/edge/http/route-access';
import { fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { REQUEST_ID, useTestServer } from './test-server.ts';

const { data, send, post, refusal } = useTestServer((to) => to.publishFiles(SHOPS));

/** A token of these scopes, as a header and as metadata. */
function withScopes(...scopes: readonly string[]): { readonly authorization: string } {
  const { tokenText } = data().store.createToken({ organisationId: 'acme', name: 'x', scopes });
  return { authorization: `Bearer ${tokenText}` };
}

const CATALOG_CALLS = [
  'listDataReferences',
  'getDataReference',
  'listRecords',
  'searchFieldValues',
];
const VALUES = '/v1/catalogs/shop/metrics/customers/values';
const ALL_BUT = (scope: string) =>
  ['catalog', 'metrics', 'usage', 'operate', 'admin'].filter((other) => other !== scope);

/** Every call of a service, with its name. */
function unaryCalls({ methods }: DescService): readonly (readonly [string, DescMethodUnary])[] {
  // The interface has no streaming calls.
  return methods.map((method) => [method.name, method as DescMethodUnary]);
}

describe('without the scope catalog', () => {
  test.each(CATALOG_CALLS)('%s is refused over HTTP, before the request is read', async (call) => {
    const { body, headers } = await post(call, '{', withScopes(...ALL_BUT('catalog')));
    expect([body.reason, headers.get('www-authenticate')]).toEqual([
      'SCOPE_MISSING',
      'Bearer realm="locmetrics", error="insufficient_scope", scope="catalog"',
    ]);
  });

  test.each([...unaryCalls(catalogV3.CatalogQuery), ...unaryCalls(catalogV3alpha.CatalogQuery)])(
    '%s is refused over gRPC',
    async (_, method) => {
      const metadata = withScopes(...ALL_BUT('catalog'));
      expect(await refusal(method, new Uint8Array(), { metadata })).toMatchObject({
        code: 'PERMISSION_DENIED',
        reason: 'SCOPE_MISSING',
      });
    },
  );
});

describe('without the scope metrics', () => {
  test.each([
    ['GET', VALUES],
    ['HEAD', VALUES],
    ['POST', `${VALUES}:search`],
    ['POST', '/v1/catalogs/shop/metrics/customers:download'],
  ])('%s %s is refused', async (method, path) => {
    const headers = { ...withScopes(...ALL_BUT('metrics')), 'content-type': 'application/json' };
    const answer = await send(path, { method, headers });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="locmetrics", error="insufficient_scope", scope="metrics"',
    ]);
  });

  const services = [
    ...[catalogV1.QueryService, catalogV1.CatalogService, catalogV1.FileDownloadService],
    mapsV1.MapService,
  ];
  test.each(services.flatMap(unaryCalls))('%s is refused over gRPC', async (_, method) => {
    const metadata = withScopes(...ALL_BUT('metrics'));
    const refused = await refusal(method, new Uint8Array(), { metadata });
    expect([refused.code, refused.reason]).toEqual(['PERMISSION_DENIED', 'SCOPE_MISSING']);
  });
});

test('both edges refuse with the same text', async () => {
  const authorization = withScopes('usage');
  const { text } = await post('listDataReferences', {}, authorization);
  const { code, reason, detail, hint, requestId } = JSON.parse(text);
  expect([code, reason, detail, hint, requestId]).toEqual([
    'PERMISSION_DENIED',
    'SCOPE_MISSING',
    "The token does not have the scope 'catalog', which is required.",
    "Use a token that has the scope 'catalog', or ask the data owner for one.",
    REQUEST_ID,
  ]);
  const { listDataReferences } = catalogV3.CatalogQuery.method;
  expect(await refusal(listDataReferences, {}, { metadata: authorization })).toMatchObject({
    code,
    reason,
    message: `${detail} ${hint}`,
    requestId,
  });
});

test('each scope opens its own interface and no other', async () => {
  const statuses = async (scope: string) => {
    const headers = withScopes(scope);
    const answers = [
      await post('listDataReferences', {}, headers),
      await send(`${VALUES}?billingContext=acme`, { headers }),
      await send('/v1/admin/organisations', { headers }),
    ];
    return answers.map(({ status }) => status);
  };
  expect(await statuses('catalog')).toEqual([200, 403, 403]);
  expect(await statuses('metrics')).toEqual([403, 200, 403]);
  expect(await statuses('admin')).toEqual([403, 403, 200]);
  expect(await statuses('usage')).toEqual([403, 403, 403]);
  expect(await statuses('operate')).toEqual([403, 403, 403]);
});

test('a server with a route without a declared scope does not open', async () => {
  const open = (options: object) => {
    const app: HttpApp = fastify().withTypeProvider<TypeBoxTypeProvider>();
    expectAccess(app);
    app.get('/v2/something', options, async () => 'open');
    return app.ready();
  };
  await expect(open({})).rejects.toThrow(
    'The route /v2/something does not say which scope it needs.',
  );
  await open({ config: { access: 'usage' } });
});
