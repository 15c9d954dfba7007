import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { type RecordsQuestion, useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const SIZE = 12;
const RECORDS = defineTable({
  name: 'conformance.records',
  fields: { id: 'integer', text: 'string', grade: 'float', day: 'date', yes: 'boolean' },
  rows: Array.from({ length: SIZE }, (_, index) => ({
    id: 2n ** 53n + BigInt(index),
    text: ['x', 'é', null, 'x\n"y"', '😀', '\uFFFD'][index % 6] ?? null,
    grade: [1.5, null, -0, 1e21][index % 4] ?? null,
    day: ['2024-01-01', null, '0001-01-01'][index % 3] ?? null,
    yes: [true, false, null][index % 3] ?? null,
  })),
});
const MANY = defineTable({
  name: 'conformance.many',
  fields: { id: 'integer', text: 'string' },
  rows: Array.from({ length: 10_001 }, (_, index) => ({ id: BigInt(index), text: `t${index}` })),
});
const LONG_TEXT = 'long '.repeat(4000);
const LONG = defineTable({
  name: 'conformance.long',
  fields: { id: 'integer', text: 'string' },
  rows: [1n, 2n, 3n].map((id) => ({ id, text: `${id} ${LONG_TEXT}` })),
});
const IDS = RECORDS.rows.map(({ id }) => String(id));

const QUESTIONS: readonly RecordsQuestion[] = [
  {},
  { filters: [where('text', 'is_not_empty')] },
  { filters: [whereIn('day', 'not_in', ['1999-01-01'])] },
  ...['id', 'text', 'grade', 'day', 'yes'].flatMap((fieldName) =>
    [false, true].map((descending) => ({ orderBy: { fieldName, descending } })),
  ),
  {
    filters: [where('grade', 'is_not_empty')],
    orderBy: { fieldName: 'grade', descending: true },
  },
  ...[false, true].flatMap((descending) =>
    [false, true].map((isLast) => ({
      orderBy: { fieldName: 'yes', descending },
      thenBy: [
        { fieldName: 'grade', descending: isLast },
        { fieldName: 'day', descending },
        { fieldName: 'text', descending: isLast },
      ],
    })),
  ),
];

describeOn(ENGINES)('paging, $name engine', (engine) => {
  const service = useService(engine, RECORDS, MANY, LONG);
  const many = (pageSize: number) =>
    service.listRecords({ dataset: 'conformance.many', fields: ['id'], pageSize });

  test.each([1, 2, 3, 5, SIZE - 1, SIZE, SIZE + 1])(
    'pages of %d have each record once, in the order of one page, for every request',
    async (pageSize) => {
      const walked = QUESTIONS.map((question) => service.column('id', { ...question, pageSize }));
      const whole = QUESTIONS.map((question) => service.column('id', question));
      expect(await Promise.all(walked)).toEqual(await Promise.all(whole));
    },
  );

  test.each(QUESTIONS)('totalSize is exact and the same on every page: %j', async (question) => {
    const whole = await service.listRecords(question);
    const pages = await service.recordPages({ ...question, pageSize: 5 });
    expect(whole.totalSize).toBe(whole.rows.length);
    expect(pages.map(({ totalSize }) => totalSize)).toEqual(pages.map(() => whole.rows.length));
  });

  test('a full last page has no token', async () => {
    const sizes = async (pageSize: number) =>
      (await service.recordPages({ pageSize })).map(({ rows }) => rows.length);
    expect(await sizes(6)).toEqual([6, 6]);
    expect(await sizes(5)).toEqual([5, 5, 2]);
    expect(await sizes(11)).toEqual([11, 1]);
    expect(await sizes(12)).toEqual([12]);
    expect(await sizes(13)).toEqual([12]);
  });

  test('an empty result is one page without a token', async () => {
    const question = { filters: [where('text', '==', 'nowhere')], pageSize: 1 };
    const [page, ...others] = await service.recordPages(question);
    expect(others).toEqual([]);
    expect(page).toMatchObject({ rows: [], totalSize: 0, nextPageToken: '' });
  });

  test('a page size of 0 means 100', async () => {
    expect((await many(0)).rows).toHaveLength(100);
  });

  test('a page size above 10,000 means 10,000', async () => {
    expect((await many(10_000)).rows).toHaveLength(10_000);
    const page = await many(10_001);
    expect(page.rows).toHaveLength(10_000);
    const rest = await service.listRecords({
      dataset: 'conformance.many',
      fields: ['id'],
      pageSize: 2 ** 31 - 1,
      pageToken: page.nextPageToken,
    });
    expect(rest).toMatchObject({ rows: [[10_000n]], totalSize: 10_001, nextPageToken: '' });
  });

  test('the same rules apply to the values of a field', async () => {
    const values = (pageSize: number) =>
      service.searchFieldValues({ dataset: 'conformance.many', field: 'text', pageSize });
    expect((await values(0)).values).toHaveLength(100);
    expect((await values(99_999)).values).toHaveLength(10_000);
    expect((await values(9_999)).values).toHaveLength(9_999);
  });

  test('a negative page size is refused', async () => {
    expect(await refusalOf(service.listRecords({ pageSize: -1 }))).toMatchInlineSnapshot(`
      "INVALID_PAGE_SIZE at /pageSize
      The page size -1 is not a whole number of 0 or more.
      Send 1 to 10000, or leave it out for 100."
    `);
    expect(
      await refusalOf(service.searchFieldValues({ field: 'id', pageSize: -1 })),
    ).toMatchInlineSnapshot(`
      "INVALID_PAGE_SIZE at /pageSize
      The page size -1 is not a whole number of 0 or more.
      Send 1 to 10000, or leave it out for 100."
    `);
  });

  test('the page size may change between pages', async () => {
    const first = await service.listRecords({ fields: ['id'], pageSize: 1 });
    const rest = await service.column('id', { pageToken: first.nextPageToken, pageSize: 4 });
    expect(rest).toEqual(IDS.slice(1));
  });

  test('a page can be requested again, and is the same', async () => {
    const { nextPageToken: pageToken } = await service.listRecords({ pageSize: 3 });
    const page = { pageSize: 3, pageToken };
    expect(await service.listRecords(page)).toEqual(await service.listRecords(page));
  });

  test('a page can end at a long text', async () => {
    const question = { dataset: 'conformance.long', pageSize: 1 };
    const orderBy = { fieldName: 'text', descending: false };
    expect(await service.column('id', { ...question, orderBy })).toEqual(['1', '2', '3']);
    expect(await service.values('text', question)).toHaveLength(3);
  });

  test('countOnly gives the total and no records', async () => {
    const answer = await service.listRecords({
      countOnly: true,
      filters: [where('text', '==', 'x')],
      pageSize: 1,
    });
    expect(answer).toMatchObject({ rows: [], totalSize: 2, nextPageToken: '' });
    expect(await service.listRecords({ countOnly: true })).toMatchObject({
      rows: [],
      totalSize: SIZE,
      nextPageToken: '',
    });
  });
});
