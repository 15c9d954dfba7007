import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where } from './filter-clause.ts';
import { defineTable } from './table.ts';

/** A stored text, a text that differs only in case, and the nearest text that differs otherwise. */
const FOLDS = [
  { what: 'an umlaut', stored: 'ÄRGER', same: 'ärger', other: 'arger' },
  { what: 'a decomposed umlaut', stored: 'A\u0308RGER', same: 'a\u0308rger', other: 'ärger' },
  { what: 'a dotted capital I', stored: 'İZMİR', same: 'izmir', other: 'ızmır' },
  { what: 'a dotless i', stored: 'ısparta', same: 'ısPARTA', other: 'ISPARTA' },
  { what: 'sigmas in capitals', stored: 'ΣΊΣΥΦΟΣ', same: 'σίσυφοσ', other: 'σίσυφος' },
  { what: 'a final sigma', stored: 'οδός', same: 'ΟΔός', other: 'ΟΔΌΣ' },
  { what: 'a sharp s', stored: 'Straße', same: 'STRAẞE', other: 'STRASSE' },
  { what: 'a capital sharp s', stored: 'GROẞ', same: 'groß', other: 'gross' },
  { what: 'a digraph in capitals', stored: 'Ǆep', same: 'ǆEP', other: 'džep' },
  { what: 'a digraph in title case', stored: 'ǅungla', same: 'Ǆungla', other: 'Dž' },
  { what: 'an ogonek', stored: 'ĄŻ', same: 'ąż', other: 'az' },
  { what: 'Cyrillic', stored: 'ЁЛКА', same: 'ёлка', other: 'елка' },
  { what: 'Cherokee', stored: 'ᎠᏓ', same: 'ꭰꮣ', other: 'ꭱꮣ' },
  { what: 'small letters of Cherokee', stored: 'ᏸᏽ', same: 'ᏰᏵ', other: 'ᏱᏵ' },
  { what: 'Deseret, beyond U+FFFF', stored: '𐐀𐐁', same: '𐐨𐐩', other: '𐐪𐐩' },
  { what: 'Georgian Mtavruli', stored: 'ᲗᲑ', same: 'თბ', other: 'თგ' },
  { what: 'Georgian Asomtavruli', stored: 'Ⴀ', same: 'ⴀ', other: 'ა' },
  { what: 'the Kelvin sign', stored: '\u212Aelvin', same: 'KELVIN', other: 'elvin\u212A' },
  { what: 'the Ohm sign', stored: '\u2126mega', same: 'ωMEGA', other: 'omega' },
  { what: 'Greek with iota below', stored: 'ᾈδης', same: 'ᾀΔης', other: 'ἀιδης' },
  { what: 'a Roman numeral', stored: 'Ⅷ', same: 'ⅷ', other: 'viii' },
  { what: 'a circled letter', stored: 'Ⓐ', same: 'ⓐ', other: 'a' },
  { what: 'full-width letters', stored: 'ＡＢ', same: 'ａｂ', other: 'ab' },
  { what: 'a ligature', stored: 'ﬁsh', same: 'ﬁSH', other: 'fish' },
  {
    what: 'letters of Unicode 16',
    stored: '\u{10D50}\uA7CB',
    same: '\u{10D70}\u0264',
    other: '\u{10D71}',
  },
  {
    what: 'letters of Unicode 17',
    stored: '\u{16EA0}\uA7D2',
    same: '\u{16EBB}\uA7D3',
    other: '\u{16EBC}',
  },
  { what: 'a Hawaiian okina', stored: 'ʻIOLANI', same: 'ʻiolani', other: '‘iolani' },
  { what: 'a letter in superscript', stored: 'ᴬbc', same: 'ᴬBC', other: 'ᵃbc' },
] as const;

describeOn(ENGINES)('case is ignored code point by code point, $name engine', (engine) => {
  const { values, column } = useService(
    engine,
    defineTable({
      name: 'conformance.folds',
      // Searches of such a version ignore the case alone, as filters do.
      searchRule: 1,
      fields: { name: 'string' },
      rows: FOLDS.map(({ stored }) => ({ name: stored })),
    }),
  );
  const found = (operator: string, value: string) =>
    column('name', { filters: [where('name', operator, value)] });

  test.each(FOLDS)('$what: $stored is found for $same', async ({ stored, same }) => {
    expect(await found('contains', same)).toEqual([stored]);
    expect(await found('starts_with', same)).toEqual([stored]);
    expect(await found('ends_with', same)).toEqual([stored]);
    expect(await values('name', { term: same })).toEqual([stored]);
  });

  test.each(FOLDS)('$what: $stored is not found for $other', async ({ stored, other }) => {
    expect(await found('contains', other)).not.toContain(stored);
    expect(await found('starts_with', other)).not.toContain(stored);
    expect(await found('ends_with', other)).not.toContain(stored);
    expect(await values('name', { term: other })).not.toContain(stored);
  });

  test.each(FOLDS)('$what: == does not match $same with $stored', async ({ stored, same }) => {
    expect(await found('==', same)).toEqual([]);
    expect(await found('==', stored)).toEqual([stored]);
  });
});
