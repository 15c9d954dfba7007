import { takeProcessLock } from '@locmetrics/data-directory/files/process-lock';
import { expect, test } from 'vitest';
import { schemaErrors } from './openapi/described-schema.ts';
import { useTestServer } from './test-server.ts';

/** Versions are listed, compared and switched back over HTTP as the commands do it. */
const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    fields: { id: { type: string }, name: { type: string } }
  town.visits:
    files: visits.csv
    key: [id]
    fields: { id: { type: string }, visits: { type: integer } }
`;

const filesOf = (names: readonly string[]) => ({
  'locmetrics.yaml': MANIFEST,
  'places.csv': `id,name,note\n${names.map((name, index) => `${index},${name},\n`).join('')}`,
  'visits.csv': `id,visits\n0,${names.length}\n`,
});

const { data, send, post } = useTestServer(async (to) => {
  await to.publishFiles(filesOf(['a', 'b']), '2026-01-01T00:00:00.000Z');
  await to.publishFiles(filesOf(['a', 'B', 'c']), '2026-01-02T00:00:00.000Z');
});

async function admin(path: string, body?: unknown) {
  const { status, text } = await send(`/v1/admin/versions${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${data().adminToken}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status, body: JSON.parse(text) };
}

async function expectDescribed(operationId: string, answer: unknown): Promise<void> {
  const document = JSON.parse((await send('/openapi.json')).text);
  const operations = Object.values(document.paths).flatMap((path) => Object.values(Object(path)));
  const found = Object(operations.find((one) => Object(one).operationId === operationId));
  const { schema } = found.responses[200].content['application/json'];
  expect(schemaErrors(document, schema)(answer)).toBe('');
}

test('the versions, their reports and their differences are those of the commands', async () => {
  const listed = await admin('');
  expect(listed.status).toBe(200);
  await expectDescribed('listVersions', listed.body);
  expect(listed.body.versions).toMatchObject([
    { dataset: 'town.places', state: 'current', rowCount: 3 },
    { dataset: 'town.places', state: 'kept', rowCount: 2 },
    { dataset: 'town.visits', state: 'current', rowCount: 1 },
    { dataset: 'town.visits', state: 'kept', rowCount: 1 },
  ]);
  const [current, before] = listed.body.versions;
  const one = await admin('?dataset=town.visits');
  expect(one.body.versions).toEqual(listed.body.versions.slice(2));
  const report = await admin(`/town.places/${current.version}/report`);
  await expectDescribed('getReport', report.body);
  expect(report.body).toMatchObject({
    before: before.version,
    rows: { read: 3, kept: 3 },
    notices: ['These columns of the files are not used by any field: note.'],
  });
  expect(current.notices).toEqual(report.body.notices);
  const diff = await admin('/town.places/diff');
  await expectDescribed('compareVersions', diff.body);
  expect(diff.body).toMatchObject({
    dataset: 'town.places',
    before: before.version,
    after: current.version,
    rows: { added: 1, removed: 0, changed: 1, same: 1 },
    examples: { changed: [{ key: { id: '1' }, fields: [{ before: 'b', after: 'B' }] }] },
  });
  const back = await admin(`/town.places/diff?from=${current.version}&to=${before.version}`);
  expect(back.body.rows).toEqual({ added: 0, removed: 1, changed: 1, same: 1 });
});

test('a rollback holds for the next request, is in the audit log, and is refused as by the command', async () => {
  const records = async () =>
    (await post('listRecords', { dataReferenceName: 'town.places' })).body.totalSize;
  expect(await records()).toBe(3);
  const { versions } = (await admin('?dataset=town.places')).body;
  const done = await admin(':rollback', { dataset: 'town.places' });
  await expectDescribed('rollBack', done.body);
  const [{ version: current }, { version: before }] = versions;
  expect(done.body.datasets).toEqual([
    { dataset: 'town.places', before: current, version: before },
  ]);
  expect(await records()).toBe(2);
  const [entry] = data().store.listAudit({ limit: 1 });
  expect(entry).toMatchObject({
    action: 'version.rollback',
    subject: 'town.places',
    actor: { kind: 'token', organisationId: 'acme' },
    details: { version: before, before: current },
  });
  expect(await admin(':rollback', { dataset: 'town.places' })).toMatchObject({
    status: 409,
    body: { reason: 'SWITCH_REFUSED', hint: expect.stringContaining(current) },
  });
  const forth = await admin(':rollback', { dataset: 'town.places', version: current });
  expect([forth.status, await records()]).toEqual([200, 3]);
  const both = await admin(':rollback', { dataset: 'town.visits', together: true });
  expect(both.body.datasets).toHaveLength(2);
  const { history } = (await admin('')).body;
  expect(history[0]).toMatchObject({ by: 'rollback', until: null });
});

test.each([
  ['?dataset=town.place', 404, 'DATA_REFERENCE_NOT_FOUND', "'town.places'"],
  ['/town.place/diff', 404, 'DATA_REFERENCE_NOT_FOUND', "'town.places'"],
  ['/town.places/x/report', 404, 'VERSION_NOT_FOUND', '2026'],
  ['/town.places/diff?from=x', 404, 'VERSION_NOT_FOUND', '2026'],
  ['?datasets=town.places', 400, 'UNKNOWN_REQUEST_FIELD', "'dataset'"],
])('%s is refused with what is known', async (path, status, reason, hint) => {
  const answer = await admin(path);
  expect(answer).toMatchObject({ status, body: { reason } });
  expect(answer.body.hint).toContain(hint);
});

test('a rollback waits for another process that switches, and answers others meanwhile', async () => {
  const { versions } = (await admin('?dataset=town.places')).body;
  const { version } = versions.find((one: { readonly state: string }) => one.state === 'kept');
  const lock = takeProcessLock(data().directory.switchLock);
  const rollback = admin(':rollback', { dataset: 'town.places', version });
  const { status } = await post('listDataReferences', {});
  expect([status, await Promise.race([rollback, 'waits'])]).toEqual([200, 'waits']);
  lock?.release();
  expect((await rollback).status).toBe(200);
});
