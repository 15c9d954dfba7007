import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from './shops.ts';
import { createTestData, type TestData } from './test-data.ts';
import { openTestServer, problemOf, type TestServer } from './test-server.ts';

let data: TestData;
let server: TestServer;

beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  server = await openTestServer(data);
});

afterAll(async () => {
  await server.close();
  await data.remove();
});

test('probe', async () => {
  const show = async (name: string, p: Promise<unknown>) => console.log(name, JSON.stringify(await p).slice(0, 900));
  const P = (op: string, b: unknown, h?: HeadersInit) => problemOf(server.post(op, b, h));
  await show('list', P('listRecords', { dataReferenceName: 'shop.stores' }));
  await show('typed', P('listRecords', { dataReferenceName: 'shop.stores', typedValues: true }));
  await show('ldr', P('listDataReferences', ''));
  await show('nobody', problemOf(server.send('/v3/catalog/listDataReferences', { method: 'POST' })));
  await show('nobody ct', problemOf(server.send('/v3/catalog/listDataReferences', { method: 'POST', headers: {'content-type': 'application/json'} })));
  await show('body no ct', problemOf(server.send('/v3/catalog/listDataReferences', { method: 'POST', body: new Uint8Array([123, 125]) })));
  await show('deep', P('listRecords', `{"dataReferenceName":"shop.stores","filters":${'['.repeat(200000)}${']'.repeat(200000)}}`));
  await show('deep2', P('listRecords', `${'{"options":'.repeat(20000)}1${'}'.repeat(20000)}`));
  const t = performance.now();
  const big = await server.post('listRecords', `{"dataReferenceName":"shop.stores","filters":[${'1,'.repeat(500000)}1]}`);
  console.log('amplify', performance.now() - t, big.status, big.text.length);
  await show('proto', P('listRecords', '{"__proto__": {"a": 1}}'));
  await show('ctor', P('listRecords', '{"constructor": {"a": 1}}'));
  await show('field5', P('listRecords', { dataReferenceName: 'shop.stores', fields: [5] }));
  await show('badurl', problemOf(server.send('/v3/%zz')));
  await show('mixed', P('listRecords', '{"dataReference_name": "shop.stores", "countOnly": true}'));
  await show('trim', P('listRecords', { dataReferenceName: 'shop.stores', options: { trimToPeriodOfExistence: 'IGNOR' } }));
  await show('charset', P('listDataReferences', '{}', { 'content-type': 'application/json; charset=iso-8859-1' }));
  await show('upper', P('listDataReferences', '{"a":1}', { 'content-type': 'APPLICATION/JSON' }));
  await show('json+', P('listDataReferences', '{}', { 'content-type': 'application/problem+json' }));
  await show('post livez', problemOf(server.send('/livez', { method: 'POST' })));
  await show('post livez body', problemOf(server.send('/livez', { method: 'POST', body: 'abc' })));
  await show('delete', problemOf(server.send('/v3/catalog/listRecords', { method: 'DELETE' })));
  await show('404', problemOf(server.send('/v3/catalog/listRecord', { method: 'POST' })));
  await show('404 body', problemOf(server.send('/v3/catalog/listRecord', { method: 'POST', body: 'x' })));
  await show('null', P('listDataReferences', 'null'));
  await show('arr', P('listDataReferences', '[]'));
  await show('trailing', P('listDataReferences/', '{}'));
});
