import type { FilterValue } from '@locmetrics/core/domain/filter';
import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { defineTable } from './table.ts';

const DAYS = ['0001-01-01', '1582-10-10', '1899-12-31', '1970-01-01', '2024-02-29', '9999-12-31'];

describeOn(ENGINES)('filters on dates, $name engine', (engine) => {
  const { column, values } = useService(
    engine,
    defineTable({
      name: 'conformance.days',
      fields: { id: 'string', day: 'date' },
      rows: [...DAYS.map((day) => ({ id: day, day })), { id: 'none', day: null }],
    }),
  );
  const idsWhere = (operator: string, value?: string) =>
    column('id', { filters: [where('day', operator, value)] });
  const idsIn = (operator: string, days: readonly string[]) =>
    column('id', { filters: [whereIn('day', operator, days)] });

  test('every day of the calendar is read back unchanged, not moved by a time zone', async () => {
    expect(await column('day')).toEqual([...DAYS, '']);
    expect(await values('day')).toEqual(DAYS);
  });

  test.each(DAYS)('%s equals itself and not the absent value', async (day) => {
    expect(await idsWhere('==', day)).toEqual([day]);
    expect(await idsWhere('!=', day)).toEqual(DAYS.filter((other) => other !== day));
    expect(await idsIn('in', [day])).toEqual([day]);
    expect(await idsIn('not_in', [day])).toEqual(DAYS.filter((other) => other !== day));
  });

  test('<, <=, > and >= are exact at the day', async () => {
    expect(await idsWhere('<', '1899-12-31')).toEqual(DAYS.slice(0, 2));
    expect(await idsWhere('<=', '1899-12-31')).toEqual(DAYS.slice(0, 3));
    expect(await idsWhere('>', '1899-12-31')).toEqual(DAYS.slice(3));
    expect(await idsWhere('>=', '1899-12-31')).toEqual(DAYS.slice(2));
    expect(await idsWhere('>=', '1900-01-01')).toEqual(DAYS.slice(3));
    expect(await idsWhere('<', '0001-01-01')).toEqual([]);
    expect(await idsWhere('>', '9999-12-31')).toEqual([]);
  });

  test('in accepts days that are not stored', async () => {
    expect(await idsIn('in', ['2024-02-29', '2024-02-28'])).toEqual(['2024-02-29']);
    expect(await idsIn('in', ['2024-02-28'])).toEqual([]);
    expect(await idsIn('not in', ['2024-02-28'])).toEqual(DAYS);
  });

  test('is_empty matches the absent day only', async () => {
    expect(await idsWhere('is_empty')).toEqual(['none']);
    expect(await idsWhere('is_not_empty')).toEqual(DAYS);
  });
});

describeOn(ENGINES)('filters on booleans, $name engine', (engine) => {
  const { column } = useService(
    engine,
    defineTable({
      name: 'conformance.answers',
      fields: { id: 'string', answer: 'boolean' },
      rows: [
        { id: 'no', answer: false },
        { id: 'none', answer: null },
        { id: 'yes', answer: true },
      ],
    }),
  );
  const idsWhere = (operator: string, value?: FilterValue) =>
    column('id', { filters: [where('answer', operator, value)] });

  test('== and != match true and false, and never the absent value', async () => {
    expect(await idsWhere('==', 'true')).toEqual(['yes']);
    expect(await idsWhere('==', 'false')).toEqual(['no']);
    expect(await idsWhere('!=', 'true')).toEqual(['no']);
    expect(await idsWhere('!=', 'false')).toEqual(['yes']);
  });

  test('a JSON boolean is the same as its text', async () => {
    expect(await idsWhere('==', true)).toEqual(['yes']);
    expect(await idsWhere('==', false)).toEqual(['no']);
  });

  test('is_empty matches the absent value, not false', async () => {
    expect(await idsWhere('is_empty')).toEqual(['none']);
    expect(await idsWhere('is_not_empty')).toEqual(['no', 'yes']);
  });
});
