import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { defineTable, type SourceRow } from './table.ts';

/** A month observed at places that existed at different times. */
const VISITS: readonly SourceRow[] = [
  visit('always', null, null),
  visit('ended_on_first_day', null, '2023-06-01'),
  visit('ended_the_day_before', null, '2023-05-31'),
  visit('opened_on_last_day', '2023-06-30', null),
  visit('opened_the_day_after', '2023-07-01', null),
  visit('within', '2023-06-10', '2023-06-12'),
  { ...visit('without_end', '2023-07-01', null), last_day: null },
  { ...visit('without_period', '2023-07-01', '2023-07-02'), first_day: null, last_day: null },
  { ...visit('without_start', null, '2023-05-31'), first_day: null },
];

function visit(id: string, opened: string | null, closed: string | null): SourceRow {
  return { id, first_day: '2023-06-01', last_day: '2023-06-30', opened, closed };
}

const FIELDS = {
  id: 'string',
  first_day: 'date',
  last_day: 'date',
  opened: 'date',
  closed: 'date',
} as const;
const period = { start: 'first_day', end: 'last_day' };
const base = { fields: FIELDS, rows: VISITS };
const BOTH = defineTable({
  ...base,
  name: 'conformance.both',
  period,
  existence: { start: 'opened', end: 'closed' },
});
const START = defineTable({
  ...base,
  name: 'conformance.start',
  period,
  existence: { start: 'opened' },
});
const END = defineTable({ ...base, name: 'conformance.end', period, existence: { end: 'closed' } });
const NEITHER = defineTable({ ...base, name: 'conformance.neither', period });
const NO_PERIOD = defineTable({
  ...base,
  name: 'conformance.no_period',
  existence: { start: 'opened', end: 'closed' },
});
const DAILY = defineTable({
  ...base,
  name: 'conformance.daily',
  period: { start: 'first_day', end: 'first_day' },
  existence: { start: 'opened', end: 'closed' },
});
const ALL = VISITS.map(({ id }) => id);

describeOn(ENGINES)('trimming to the period of existence, $name engine', (engine) => {
  const service = useService(engine, BOTH, START, END, NEITHER, NO_PERIOD, DAILY);
  const ids = (dataset: string, trim?: 'trim' | 'ignore') =>
    service.column('id', { dataset: `conformance.${dataset}`, ...(trim ? { trim } : {}) });

  test('a record whose period overlaps the existence by one day is kept; without overlap it is left out', async () => {
    expect(await ids('both', 'trim')).toEqual([
      'always',
      'ended_on_first_day',
      'opened_on_last_day',
      'within',
      'without_end',
      'without_period',
      'without_start',
    ]);
  });

  test('with only the start of existence the end is open', async () => {
    expect(await ids('start', 'trim')).toEqual(ALL.filter((id) => id !== 'opened_the_day_after'));
  });

  test('with only the end of existence the start is open', async () => {
    expect(await ids('end', 'trim')).toEqual(ALL.filter((id) => id !== 'ended_the_day_before'));
  });

  test('a period of one day is compared as a period', async () => {
    expect(await ids('daily', 'trim')).toEqual([
      'always',
      'ended_on_first_day',
      'without_period',
      'without_start',
    ]);
  });

  test('without existence dates or without a period nothing is trimmed', async () => {
    expect(await ids('neither', 'trim')).toEqual(ALL);
    expect(await ids('no_period', 'trim')).toEqual(ALL);
  });

  test('ignore keeps every record', async () => {
    expect(await ids('both', 'ignore')).toEqual(ALL);
  });

  test('totals and distinct values are trimmed alike', async () => {
    const trimmed = await service.listRecords({ trim: 'trim' });
    const ignored = await service.listRecords({ trim: 'ignore' });
    expect([trimmed.totalSize, ignored.totalSize]).toEqual([7, 9]);
    expect(await service.values('closed', { trim: 'trim' })).toEqual([
      '2023-05-31',
      '2023-06-01',
      '2023-06-12',
      '2023-07-02',
    ]);
    expect(await service.values('opened', { trim: 'trim', term: '2023-07' })).toEqual([
      '2023-07-01',
    ]);
  });
});
