import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

/** The second version has one more field and one record less. */
const FIRST = defineTable({
  name: 'conformance.places',
  fields: { id: 'string' },
  publishedTime: '2024-01-10T23:59:59.999Z',
  rows: [{ id: 'a' }, { id: 'b' }],
});
const SECOND = defineTable({
  name: 'conformance.places',
  fields: { id: 'string', name: 'string' },
  publishedTime: '2024-02-20T00:00:00.000Z',
  rows: [{ id: 'a', name: 'Aarau' }],
});

describeOn(ENGINES)('asOf, $name engine', (engine) => {
  const service = useService(engine, FIRST, SECOND);
  const rowsAsOf = async (asOf: string) => (await service.listRecords({ asOf })).rows;
  const first = [['a'], ['b']];
  const second = [['a', 'Aarau']];

  test('without it the answer is from the current version, and names it', async () => {
    const answer = await service.listRecords();
    expect([answer.rows, answer.version]).toEqual([second, SECOND.version.version]);
  });

  test('the name of a version selects that version with its own schema', async () => {
    expect(await rowsAsOf(FIRST.version.version)).toEqual(first);
    expect(await rowsAsOf(SECOND.version.version)).toEqual(second);
    const old = { asOf: FIRST.version.version, fields: ['name'] };
    expect(await refusalOf(service.listRecords(old))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /fields/0/name
      Unknown field 'name' in conformance.places.
      Known: id."
    `);
  });

  test('a date selects the version that was current at its end', async () => {
    expect(await rowsAsOf('2024-01-10')).toEqual(first);
    expect(await rowsAsOf('2024-02-19')).toEqual(first);
    expect(await rowsAsOf('2024-02-20')).toEqual(second);
    expect(await rowsAsOf('9999-12-31')).toEqual(second);
  });

  test('a date before the first version finds no version', async () => {
    expect(await refusalOf(service.listRecords({ asOf: '2024-01-09' }))).toMatchInlineSnapshot(`
      "VERSION_NOT_FOUND at /asOf
      No version of conformance.places is kept for '2024-01-09'.
      Leave asOf out to read the current version."
    `);
  });

  test('a version that does not exist is not found', async () => {
    expect(
      await refusalOf(service.listRecords({ asOf: '20240110T235959999Z-ba9876543210' })),
    ).toMatchInlineSnapshot(`
      "VERSION_NOT_FOUND at /asOf
      No version of conformance.places is kept for '20240110T235959999Z-ba9876543210'.
      Leave asOf out to read the current version."
    `);
  });

  test('any other text is refused', async () => {
    expect(await refusalOf(service.listRecords({ asOf: 'latest' }))).toMatchInlineSnapshot(`
      "INVALID_AS_OF at /asOf
      'latest' is neither a date nor the name of a version.
      Send a date YYYY-MM-DD, or the version of an earlier answer."
    `);
    expect(await refusalOf(service.listRecords({ asOf: '2024-02-30' }))).toMatchInlineSnapshot(`
      "INVALID_AS_OF at /asOf
      '2024-02-30' is neither a date nor the name of a version.
      Send a date YYYY-MM-DD, or the version of an earlier answer."
    `);
    expect(
      await refusalOf(service.listRecords({ asOf: '../20240110T235959999Z-0123456789ab' })),
    ).toMatchInlineSnapshot(`
      "INVALID_AS_OF at /asOf
      '../20240110T235959999Z-0123456789ab' is neither a date nor the name of a version.
      Send a date YYYY-MM-DD, or the version of an earlier answer."
    `);
  });

  test('values and counts use it too', async () => {
    expect(await service.values('id', { asOf: '2024-01-10' })).toEqual(['a', 'b']);
    expect(await service.values('id')).toEqual(['a']);
    expect(await service.listRecords({ asOf: '2024-01-10', countOnly: true })).toMatchObject({
      totalSize: 2,
      rows: [],
      version: FIRST.version.version,
    });
  });
});
