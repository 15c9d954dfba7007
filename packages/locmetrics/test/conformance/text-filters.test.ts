import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where, whereIn } from './filter-clause.ts';
import { defineTable } from './table.ts';

const NAMES = defineTable({
  name: 'conformance.names',
  fields: { id: 'string', name: 'string' },
  rows: [
    { id: 'bar', name: 'Bar' },
    { id: 'bar_lower', name: 'bar' },
    { id: 'bar_space', name: 'Bar ' },
    { id: 'barn', name: 'Barn' },
    { id: 'ein_bar', name: 'Ein Bar' },
    { id: 'umlaut', name: 'Bär' },
    { id: 'absent', name: null },
    { id: 'blank', name: ' \t ' },
    { id: 'blank_unicode', name: '\u00a0\u3000\ufeff' },
    { id: 'zero_width', name: '\u200b' },
  ],
});
const PRESENT = ['bar', 'bar_lower', 'bar_space', 'barn', 'ein_bar', 'umlaut', 'zero_width'];

describeOn(ENGINES)('filters on text, $name engine', (engine) => {
  const { column } = useService(engine, NAMES);
  const idsWhere = (operator: string, value?: string) =>
    column('id', { filters: [where('name', operator, value)] });
  const idsIn = (operator: string, values: readonly string[]) =>
    column('id', { filters: [whereIn('name', operator, values)] });

  test('== matches the exact text, not another case, another space or another diacritic', async () => {
    expect(await idsWhere('==', 'Bar')).toEqual(['bar']);
    expect(await idsWhere('==', 'Bar ')).toEqual(['bar_space']);
    expect(await idsWhere('==', ' Bar')).toEqual([]);
    expect(await idsWhere('==', 'Bär')).toEqual(['umlaut']);
    expect(await idsWhere('==', 'Ba\u0308r')).toEqual([]);
  });

  test('!= matches every present text but that one', async () => {
    expect(await idsWhere('!=', 'Bar')).toEqual(PRESENT.filter((id) => id !== 'bar'));
    expect(await idsWhere('!=', 'nowhere')).toEqual(PRESENT);
  });

  test('in matches any of the texts, each of them exactly', async () => {
    expect(await idsIn('in', ['Bar', 'Bär', 'nowhere'])).toEqual(['bar', 'umlaut']);
    expect(await idsIn('in', ['Bar', 'Bar'])).toEqual(['bar']);
    expect(await idsIn('in', ['BAR'])).toEqual([]);
  });

  test('not_in matches the present texts that are none of them', async () => {
    expect(await idsIn('not_in', ['Bar', 'Bär', 'nowhere'])).toEqual([
      'bar_lower',
      'bar_space',
      'barn',
      'ein_bar',
      'zero_width',
    ]);
    expect(await idsIn('not_in', ['BAR'])).toEqual(PRESENT);
  });

  test("'not in' means not_in", async () => {
    expect(await idsIn('not in', ['Bar', 'Bär'])).toEqual(await idsIn('not_in', ['Bar', 'Bär']));
  });

  test('contains ignores case and keeps diacritics', async () => {
    const bars = ['bar', 'bar_lower', 'bar_space', 'barn', 'ein_bar'];
    expect(await idsWhere('contains', 'BAR')).toEqual(bars);
    expect(await idsWhere('contains', 'BÄR')).toEqual(['umlaut']);
    expect(await idsWhere('contains', 'ba r')).toEqual([]);
  });

  test('contains searches a blank text as it is', async () => {
    expect(await idsWhere('contains', ' ')).toEqual(['bar_space', 'ein_bar']);
    expect(await idsWhere('contains', '  ')).toEqual([]);
  });

  test('starts_with ignores case and matches only at the start', async () => {
    expect(await idsWhere('starts_with', 'bAr')).toEqual(['bar', 'bar_lower', 'bar_space', 'barn']);
    expect(await idsWhere('starts_with', 'ar')).toEqual([]);
    expect(await idsWhere('starts_with', 'Barns')).toEqual([]);
  });

  test('ends_with ignores case and matches only at the end', async () => {
    expect(await idsWhere('ends_with', 'bAr')).toEqual(['bar', 'bar_lower', 'ein_bar']);
    expect(await idsWhere('ends_with', 'ba')).toEqual([]);
    expect(await idsWhere('ends_with', 'ein bar ')).toEqual([]);
  });

  test('is_empty matches absent and blank texts, is_not_empty all others', async () => {
    expect(await idsWhere('is_empty')).toEqual(['absent', 'blank', 'blank_unicode']);
    expect(await idsWhere('is_not_empty')).toEqual(PRESENT);
  });

  test('filters combine with AND', async () => {
    const filters = [where('name', 'starts_with', 'bar'), where('name', 'ends_with', 'bar')];
    expect(await column('id', { filters })).toEqual(['bar', 'bar_lower']);
  });

  test('the same filter twice is the filter once', async () => {
    const filters = [where('name', '==', 'Bar'), where('name', '==', 'Bar')];
    expect(await column('id', { filters })).toEqual(['bar']);
  });
});

/** Each name with another one that it would match if a character of it had a special meaning. */
const LITERALS = [
  ['100%', '100x'],
  ['a_c', 'abc'],
  ["O'Neil", 'O"Neil'],
  ["'; DROP TABLE records; --", 'x'],
  ['back\\slash', 'backslash'],
  ['a.c', 'axc'],
  ['[ab]', 'a'],
  ['a*', 'aa'],
  ['a?', 'ab'],
  ['^a$', 'a'],
  ['(a|b)', 'b'],
  ['{1}', '1'],
  ['$1', '$2'],
  ['?1', '!7'],
  ['a\nb', 'a b'],
  ['a\tb', 'a  b'],
  ['\\u0041', 'A'],
  ['&amp;', '&'],
  ['ʻĀina', "'Āina"],
  ['Ḿ', 'M\u0301'],
  ['null', 'NIL'],
] as const;

describeOn(ENGINES)('characters with a special meaning elsewhere, $name engine', (engine) => {
  const service = useService(
    engine,
    defineTable({
      name: 'conformance.literals',
      fields: { name: 'string' },
      rows: [...new Set(LITERALS.flat())].map((name) => ({ name })),
    }),
  );

  test.each(LITERALS)('%j is found literally, and %j is not', async (name) => {
    const found = (operator: string) =>
      service.column('name', { filters: [where('name', operator, name)] });
    expect(await found('==')).toEqual([name]);
    expect(await found('contains')).toEqual([name]);
    expect(await found('starts_with')).toEqual([name]);
    expect(await found('ends_with')).toEqual([name]);
    // A search ignores diacritics, and the text itself comes first.
    expect((await service.values('name', { term: name })).at(0)).toBe(name);
    expect(await service.column('name', { filters: [whereIn('name', 'in', [name])] })).toEqual([
      name,
    ]);
  });
});
