import { BUCKETS } from '@locmetrics/core/domain/date-bucket';
import type { FieldType } from '@locmetrics/core/domain/field';
import {
  FILTER_OPERATORS,
  type FilterClause,
  type FilterOperator,
  type FilterValue,
  type OperatorDefinition,
  supportedOperators,
} from '@locmetrics/core/domain/filter';
import { aggregationsOf } from '@locmetrics/core/requests/aggregation';
import fc from 'fast-check';
import { evenly } from '../../support/evenly.ts';
import type {
  RecordsQuestion,
  RowsQuestion,
  ValuesQuestion,
} from '../engines/service-under-test.ts';
import { few } from '../few.ts';
import { where, whereIn } from '../filter-clause.ts';
import { randomCircle } from './random-circle.ts';
import { withRandomLogic } from './random-logic.ts';
import { randomPolygon } from './random-polygon.ts';
import { DAYS, FIELDS, FLOATS, INTEGERS, LATITUDES, LONGITUDES, TEXTS } from './random-table.ts';

/** Any possible question on a random table. It is valid, except for an area or a distance on a table without points. */
export type Question =
  | { readonly kind: 'records'; readonly question: RecordsQuestion }
  | { readonly kind: 'values'; readonly question: ValuesQuestion };

const fieldName = fc.constantFrom(...Object.keys(FIELDS));

const VALUES: Readonly<Record<FieldType, fc.Arbitrary<FilterValue>>> = {
  string: fc
    .oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', minLength: 1 }))
    .filter((text) => text.trim() !== '' && !text.includes('\0')),
  integer: fc.oneof(fc.constantFrom(...INTEGERS).map(String), fc.integer({ min: -60, max: 60 })),
  float: fc.oneof(
    fc.constantFrom(...FLOATS, ...LONGITUDES),
    fc.constantFrom(...FLOATS).map(String),
  ),
  boolean: fc.oneof(fc.boolean(), fc.boolean().map(String)),
  date: fc.constantFrom(...DAYS, '2024-03-01', '1900-01-01'),
};

/** Of the operators of a type, those that take a value, a list, or neither. */
const operatorsOf = (type: FieldType, takes: OperatorDefinition['takes']) =>
  supportedOperators({ type }).filter((name) => FILTER_OPERATORS[name].takes === takes);

const isTextMatch = (operator: FilterOperator): boolean =>
  FILTER_OPERATORS[operator].types.every((type) => type === 'string');

export const randomFilter: fc.Arbitrary<FilterClause> = fieldName.chain((name) => {
  const type: FieldType = FIELDS[name as keyof typeof FIELDS];
  const compared = operatorsOf(type, 'one').filter((operator) => !isTextMatch(operator));
  const empty = fc
    .constantFrom(...operatorsOf(type, 'none'))
    .map((operator) => where(name, operator));
  const one = fc
    .tuple(fc.constantFrom(...compared), VALUES[type])
    .map(([operator, value]) => where(name, operator, value));
  const list = fc
    .constantFrom<FilterOperator | 'not in'>(...operatorsOf(type, 'list'), 'not in')
    .chain((operator) => {
      const { least = 1, most = 1 } = FILTER_OPERATORS[operator === 'not in' ? 'not_in' : operator];
      const values = (minLength: number, maxLength: number) =>
        fc.array(VALUES[type], {
          minLength: Math.min(Math.max(minLength, least), most),
          maxLength: Math.min(maxLength, most),
        });
      return fc
        .oneof({ arbitrary: values(1, 4), weight: 5 }, { arbitrary: values(45, 60), weight: 1 })
        .map((written) => whereIn(name, operator, written));
    });
  const match = fc
    .tuple(
      fc.constantFrom(...supportedOperators({ type: 'string' }).filter(isTextMatch)),
      fc.oneof(fc.constantFrom(...TEXTS, ' '), VALUES.string),
    )
    .map(([operator, value]) => where(name, operator, value));
  switch (type) {
    case 'string':
      return fc.oneof(empty, one, list, match);
    case 'boolean':
      return fc.oneof(empty, one);
    case 'integer':
    case 'float':
    case 'date':
      return fc.oneof(empty, one, list);
  }
});

const latitude = fc.oneof(fc.constantFrom(...LATITUDES), evenly(-90, 90));
const longitude = fc.oneof(fc.constantFrom(...LONGITUDES), evenly(-180, 180));
const box = fc
  .tuple(longitude, latitude, longitude, latitude)
  .map(([minLng, one, maxLng, other]) => ({
    minLng,
    minLat: Math.min(one, other),
    maxLng,
    maxLat: Math.max(one, other),
  }));

const rows: fc.Arbitrary<RowsQuestion> = fc
  .record(
    {
      filters: fc.oneof(
        { arbitrary: fc.constant([]), weight: 3 },
        { arbitrary: fc.array(randomFilter, { minLength: 1, maxLength: 1 }), weight: 4 },
        { arbitrary: fc.array(randomFilter, { minLength: 2, maxLength: 3 }), weight: 2 },
      ),
      trim: fc.constantFrom('trim', 'ignore'),
      pageSize: fc.constantFrom(1, 2, 3, 5, 8, 13, 40, 100),
      countOnly: fc.constantFrom(false, false, false, false, true),
    },
    { requiredKeys: ['filters', 'pageSize'] },
  )
  .chain(withRandomLogic);
const maybePlace = fc.oneof(
  { arbitrary: fc.constant({}), weight: 9 },
  { arbitrary: box.map((found) => ({ box: found })), weight: 1 },
  { arbitrary: randomPolygon.map((polygon) => ({ polygon })), weight: 1 },
  { arbitrary: randomCircle.map((circle) => ({ circle })), weight: 1 },
);

const orderKey = fc.record({ fieldName, descending: fc.boolean() });

const records = fc
  .tuple(
    rows,
    maybePlace,
    fc.subarray(Object.keys(FIELDS)),
    fc.oneof(
      { arbitrary: fc.constant({}), weight: 5 },
      { arbitrary: orderKey.map((orderBy) => ({ orderBy })), weight: 8 },
      {
        arbitrary: fc
          .uniqueArray(orderKey, { minLength: 2, maxLength: 4, selector: (key) => key.fieldName })
          .map(([orderBy, ...thenBy]) => ({ ...(orderBy && { orderBy }), thenBy })),
        weight: 6,
      },
      { arbitrary: fc.record({ longitude, latitude }).map((near) => ({ near })), weight: 2 },
    ),
  )
  .map(([row, placed, fields, ordered]): Question => {
    return { kind: 'records', question: { ...row, ...placed, ...ordered, fields } };
  });

/** Most terms occur in many values, in some at the start and in some later. */
const term = fc.oneof(
  { arbitrary: fc.constantFrom('', 'a', '0', '1', '2', '-', 'e'), weight: 3 },
  { arbitrary: fc.constantFrom(...TEXTS, ' ', '2024', 'tr', 'e+', 'E', '1.', '99'), weight: 2 },
  { arbitrary: VALUES.string.map(String), weight: 1 },
);

const values = fc
  .tuple(rows, maybePlace, fieldName, term, fc.option(fc.boolean()))
  .map(([row, placed, field, searched, descending]): Question => {
    const orderBy = descending === null ? {} : { orderBy: { fieldName: field, descending } };
    return { kind: 'values', question: { ...row, ...placed, ...orderBy, field, term: searched } };
  });

const grouped = fc.subarray(Object.entries(FIELDS), { maxLength: 3 }).chain((fields) =>
  fc.tuple(
    ...fields.map(([name, type]) =>
      fc.record({
        fieldName: fc.constant(name),
        bucket: type === 'date' ? fc.constantFrom(undefined, ...BUCKETS) : fc.constant(undefined),
      }),
    ),
  ),
);

/** Coordinates and keys cannot be added up. */
const aggregationsIn = (name: string, type: FieldType) =>
  aggregationsOf({ type }).filter((one) => one !== 'SUM' || name === 'count' || name === 'score');

/** Fields with an aggregation that their type has, each with an alias of its own. */
const aggregated = fc
  .array(
    fc.constantFrom(...Object.entries(FIELDS)).chain(([name, type]) =>
      fc
        .tuple(
          fc.constantFrom(...aggregationsIn(name, type)),
          fc.constantFrom(0, 0.1, 0.25, 0.5, 0.9, 1),
        )
        .map(([aggregation, quantile]) => ({
          name,
          source: '',
          aggregation,
          ...(aggregation === 'QUANTILE' ? { quantile } : {}),
        })),
    ),
    { maxLength: 4 },
  )
  .map((fields) => fields.map((field, index) => ({ ...field, alias: `aggregate${index}` })));

/** Filters on the number of records, and on a value that a group has or has not. */
const groupFilter = fc.constantFrom('>', '<=', 'is_empty', 'is_not_empty');

/** A question for groups of records. */
export const randomGroups: fc.Arbitrary<RecordsQuestion> = fc
  .tuple(rows, maybePlace, grouped, aggregated, fc.nat(), fc.boolean(), few(groupFilter))
  .map(([row, placed, groupBy, fields, place, descending, operators]) => {
    const names = [
      ...groupBy.map(({ fieldName: name }) => name),
      ...fields.map(({ alias }) => alias),
    ];
    const ordered = names[place % (names.length + 1)];
    const others = names.filter((name) => name !== ordered && name.length % 2 === place % 2);
    return {
      ...row,
      ...placed,
      groupBy,
      fields: [...groupBy.map(({ fieldName: name }) => name), ...fields],
      recordCount: true,
      ...(ordered === undefined
        ? {}
        : {
            orderBy: { fieldName: ordered, descending },
            thenBy: others.map((name, index) => ({
              fieldName: name,
              descending: descending === (index % 2 === 0),
            })),
          }),
      groupFilters: operators.map((operator) =>
        operator === '>' || operator === '<='
          ? where('record_count', operator, '1')
          : where(ordered ?? 'record_count', operator),
      ),
    };
  });
const groups = randomGroups.map((question): Question => ({ kind: 'records', question }));

export const randomQuestion: fc.Arbitrary<Question> = fc.oneof(records, values, groups);
