import { expect, test } from 'vitest';
import { ENGINES } from './engines/engines.ts';
import { useService } from './engines/service-under-test.ts';
import { describeOn } from './engines/test-on.ts';
import { where } from './filter-clause.ts';
import { refusalOf } from './refusal.ts';
import { defineTable } from './table.ts';

const PLACES = defineTable({
  name: 'conformance.places',
  fields: {
    name: 'string',
    id: 'integer',
    secret: { type: 'string', includedByDefault: false },
    score: { type: 'float', sourceColumn: 'metric_value.score.value' },
    open: 'boolean',
    day: { type: 'date', includedByDefault: false },
  },
  key: ['id'],
  rows: [
    { name: 'Bern', id: 2n, secret: 's', score: 0.5, open: true, day: '2024-02-29' },
    { name: 'Aarau', id: 1n, secret: null, score: null, open: null, day: null },
  ],
});

/** Names that have another meaning in SQL. */
const RESERVED = defineTable({
  name: 'conformance.reserved',
  fields: {
    select: 'string',
    stored: 'string',
    value: 'string',
    place: 'integer',
    found: 'string',
    records: 'string',
    rowid: 'integer',
    row: 'integer',
    true: 'boolean',
    date: 'date',
    fold_select: 'string',
    group: 'string',
  },
  rows: ['a', 'b'].map((letter, index) => ({
    select: `select ${letter}`,
    stored: `stored ${letter}`,
    value: `value ${letter}`,
    place: BigInt(9 - index),
    found: `found ${letter}`,
    records: `records ${letter}`,
    rowid: BigInt(77 - index),
    row: BigInt(5 - index),
    true: index === 0,
    date: `2024-01-0${2 - index}`,
    fold_select: letter.toUpperCase(),
    group: `group ${letter}`,
  })),
});

describeOn(ENGINES)('the fields of records, $name engine', (engine) => {
  const service = useService(engine, PLACES, RESERVED);
  const names = ({ fields }: { readonly fields: readonly { readonly name: string }[] }) =>
    fields.map(({ name }) => name);

  test('without a selection, the fields included by default are returned, in the order of the definitions', async () => {
    const { fields, rows } = await service.listRecords();
    expect(names({ fields })).toEqual(['name', 'id', 'score', 'open']);
    expect(rows).toEqual([
      ['Aarau', 1n, null, null],
      ['Bern', 2n, 0.5, true],
    ]);
  });

  test('a field that has the name of a row number does not order the records', async () => {
    const question = { dataset: 'conformance.reserved', fields: ['rowid'] };
    expect((await service.listRecords(question)).rows).toEqual([[77n], [76n]]);
    const pages = await service.recordPages({ ...question, pageSize: 1 });
    expect(pages.map(({ rows }) => rows)).toEqual([[[77n]], [[76n]]]);
  });

  test('selected fields are in the order of the definitions, not of the selection', async () => {
    const { fields, rows } = await service.listRecords({ fields: ['day', 'open', 'secret', 'id'] });
    expect(names({ fields })).toEqual(['id', 'secret', 'open', 'day']);
    expect(rows).toEqual([
      [1n, null, null, null],
      [2n, 's', true, '2024-02-29'],
    ]);
  });

  test('a field that is not selected can be filtered and searched', async () => {
    expect(await service.column('id', { filters: [where('secret', '==', 's')] })).toEqual(['2']);
    expect(await service.values('secret')).toEqual(['s']);
  });

  test('a field selected twice is refused', async () => {
    expect(
      await refusalOf(service.listRecords({ fields: ['id', 'name', 'id'] })),
    ).toMatchInlineSnapshot(`
      "INVALID_FIELD at /fields/2/name
      The field 'id' is selected twice.
      Name each field once."
    `);
  });

  test('an unknown field is refused with the nearest known one', async () => {
    expect(await refusalOf(service.listRecords({ fields: ['id', 'nmae'] }))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /fields/1/name
      Unknown field 'nmae' in conformance.places.
      Did you mean 'name'?"
    `);
    expect(await refusalOf(service.searchFieldValues({ field: 'Name' }))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /field/name
      Unknown field 'Name' in conformance.places.
      Did you mean 'name'?"
    `);
    expect(await refusalOf(service.searchFieldValues({ field: '' }))).toMatchInlineSnapshot(`
      "UNKNOWN_FIELD at /field/name
      The name of a field of conformance.places is missing.
      Known: name, id, secret, score, open, day."
    `);
  });

  test('the published source of a field is accepted, another one is refused', async () => {
    const field = (source: string) => ({ name: 'score', source });
    const published = field('metric_value.score.value');
    const other = field('feature.score.value');
    expect((await service.listRecords({ fields: [published] })).rows).toEqual([[null], [0.5]]);
    expect(await service.searchFieldValues({ field: published })).toMatchObject({ values: [0.5] });
    expect(await refusalOf(service.listRecords({ fields: [other] }))).toMatchInlineSnapshot(`
      "INVALID_FIELD at /fields/0/source
      The source 'feature.score.value' is not the source of the field 'score'.
      Leave the source out, or send 'metric_value.score.value'."
    `);
    expect(await refusalOf(service.searchFieldValues({ field: other }))).toMatchInlineSnapshot(`
      "INVALID_FIELD at /field/source
      The source 'feature.score.value' is not the source of the field 'score'.
      Leave the source out, or send 'metric_value.score.value'."
    `);
  });

  test('an unknown dataset is refused with the nearest known one', async () => {
    expect(
      await refusalOf(service.listRecords({ dataset: 'conformance.place' })),
    ).toMatchInlineSnapshot(`
      "DATA_REFERENCE_NOT_FOUND at /dataReferenceName
      There is no data reference 'conformance.place'.
      Did you mean 'conformance.places'?"
    `);
    expect(
      await refusalOf(service.searchFieldValues({ dataset: 'other', field: 'id' })),
    ).toMatchInlineSnapshot(`
      "DATA_REFERENCE_NOT_FOUND at /dataReferenceName
      There is no data reference 'other'.
      listDataReferences lists those you may see."
    `);
  });

  test.each(RESERVED.version.dataset.fields.map(({ name, type }) => [name, type] as const))(
    'a field may be called %s',
    async (fieldName, type) => {
      const dataset = RESERVED.version.dataset.name;
      const [first, second] = RESERVED.rows.map((row) => row[fieldName] ?? null);
      const descending = (fields: readonly string[]) =>
        service.listRecords({ dataset, fields, orderBy: { fieldName, descending: true } });
      const isAscending = type === 'string';
      expect((await descending([fieldName])).rows).toEqual(
        isAscending ? [[second], [first]] : [[first], [second]],
      );
      const filters = [where(fieldName, '==', String(first))];
      expect(await service.column('select', { dataset, filters })).toEqual(['select a']);
      expect(await service.values(fieldName, { dataset, filters })).toEqual([String(first)]);
      expect(await service.values(fieldName, { dataset, term: String(second), filters })).toEqual(
        [],
      );
      expect(await service.values(fieldName, { dataset, pageSize: 1 })).toEqual(
        (isAscending ? [first, second] : [second, first]).map(String),
      );
    },
  );
});
