import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import type { DraftField } from '../values/draft-fields.ts';
import { TYPED_ROWS } from '../values/typed-rows.ts';
import { BLANK, fallbackSql, filledSql } from './fill-blanks.ts';
import type { FoundKey } from './find-key.ts';
import type { KeyField } from './key-field.ts';

/** Fields of the key that are blank in some rows get a word instead, also in the table of values. */
export async function fillKeyBlanks(
  connection: ImportConnection,
  fields: readonly DraftField[],
  { filled = [] }: FoundKey,
): Promise<readonly DraftField[]> {
  const done: DraftField[] = [];
  for (const [index, field] of fields.entries()) {
    if (!filled.includes(field.name)) {
      done.push(field);
      continue;
    }
    const [row] = await connection.list(
      `SELECT count(*) FILTER (WHERE v${index} IS NULL)::VARCHAR AS blank FROM ${TYPED_ROWS}`,
    );
    const { type } = field.document;
    const expression = filledSql(textOf(fields, field.name));
    await connection.run(`UPDATE ${TYPED_ROWS} SET v${index} = ${filledSql(`v${index}`)}`);
    done.push({
      ...field,
      document: { type, expression },
      doubts: [
        ...field.doubts,
        `${Number(row?.['blank']) === 1 ? '1 row has' : `${Number(row?.['blank']).toLocaleString('en-US')} rows have`} no ${field.name}, which is a part of the key: '${BLANK}' stands for it. If these rows are the totals of the others, so that callers do not count twice, add totals: { ${field.name}: ${BLANK} }.`,
      ],
    });
  }
  return done;
}

/** One code for the place of each row, made of several fields, so that a layer can have it. */
export type PlaceCode = {
  readonly field: DraftField;
  /** The fields of the key that it stands for. */
  readonly replaces: readonly string[];
  /** SQL over the table of values. */
  readonly sql: string;
};

/** Whole numbers of the key that identify places are texts, as codes are. */
export function codesAsTexts(
  fields: readonly DraftField[],
  key: FoundKey,
  keyFields: readonly KeyField[],
): readonly DraftField[] {
  const hasPeriod = keyFields.some(
    ({ role, name }) => role === 'period' && key.fields.includes(name),
  );
  return fields.map((field, index) => {
    const { type, format } = field.document;
    const role = keyFields[index]?.role;
    // With the period, a number says which thing is observed.
    const isPlace = role === 'place' || (role === 'number' && hasPeriod);
    if (!isPlace || !key.fields.includes(field.name) || type !== 'integer' || format !== undefined)
      return field;
    return { ...field, isCode: true, document: { ...field.document, type: 'string' } };
  });
}

/** The codes of a key as one, or the first of several codes that a row has. */
export async function placeCodeOf(
  connection: ImportConnection,
  fields: readonly DraftField[],
  key: FoundKey,
): Promise<PlaceCode | undefined> {
  if (key.fallback !== undefined) return fillCodes(fields, key.fallback);
  return (await joinCodes(connection, fields, key)) ?? joinAreas(fields, key);
}

/** The names of areas within each other, of which a key needs several: counties of different states share names. */
function joinAreas(fields: readonly DraftField[], key: FoundKey): PlaceCode | undefined {
  const areas = key.fields.filter((name) => {
    const field = fields.find((one) => one.name === name);
    return field?.document.type === 'string' && !field.isCode && AREA_LEVEL.test(name);
  });
  if (areas.length < 2 || key.repeatedCount > 0) return undefined;
  return { ...fillCodes(fields, { first: [], joined: areas }), replaces: areas };
}

const AREA_LEVEL =
  /^(country|nation|state|province|provincia|provinz|provincie|region|department|departement|departamento|estado|county|district|distrito|municipality|municipio|gemeinde|commune|comune|kreis|landkreis|bezirk|canton|kanton|prefecture|city|town|ward|parish|village|barrio)(_name)?$/;

function fillCodes(
  fields: readonly DraftField[],
  { first, joined }: NonNullable<FoundKey['fallback']>,
): PlaceCode {
  const texts = (names: readonly string[]) => names.map((name) => textOf(fields, name));
  const values = (names: readonly string[]) =>
    names.map((name) => `v${fields.findIndex((field) => field.name === name)}::VARCHAR`);
  const last = joined.length > 1 ? `${joined.join(', ')} together` : joined[0];
  const all = [...first, ...(last === undefined ? [] : [last])];
  const areCodes = [...first, ...joined].every(
    (name) => fields.find((field) => field.name === name)?.isCode === true,
  );
  const note =
    first.length === 0
      ? `No row lacks all of ${joined.join(', ')}, which together identify its place.`
      : `The first of these that a row has identifies its place, because the others are blank: ${all.join(', ')}.`;
  return {
    field: {
      ...codeField(freeName(fields, ['place_id', 'place_code', 'joined_place_id'])),
      document: {
        type: 'string',
        expression: fallbackSql(texts(first), [...new Set(texts(joined))]),
      },
      ...(areCodes ? { notes: [note] } : { notes: [], doubts: [`${note} ${NAMES_DOUBT}`] }),
    },
    replaces: [],
    sql: fallbackSql(values(first), values(joined)),
  };
}

const NAMES_DOUBT =
  'These are names: two places with one name would be one, and if one of them is no place, such as a purpose or a product, its values are no places either. Then write another key.';

/** A column as text, blank texts as absent, with the zeros that the field gets. */
function textOf(fields: readonly DraftField[], name: string): string {
  const field = fields.find((one) => one.name === name);
  const { expression, pad } = field?.document ?? {};
  const text = expression ?? `nullif(trim(${quoteIdentifier(field?.column ?? name)}), '')`;
  return typeof pad === 'number' ? `lpad(${text}, ${pad}, '0')` : text;
}

function codeField(name: string): Omit<DraftField, 'document' | 'notes'> {
  return {
    name,
    column: undefined,
    isCode: true,
    hasTime: false,
    part: undefined,
    doubts: [],
  };
}

function freeName(fields: readonly DraftField[], names: readonly string[]): string {
  const free = names.find((one) => fields.every(({ name }) => name !== one));
  return free ?? `${names[0]}_of_row`;
}

/** A key of several codes becomes one, so that a layer can have it. */
async function joinCodes(
  connection: ImportConnection,
  fields: readonly DraftField[],
  key: FoundKey,
): Promise<PlaceCode | undefined> {
  const isCode = (name: string): boolean => {
    const field = fields.find((one) => one.name === name);
    return field?.isCode === true && field.document.type === 'string';
  };
  const codes = key.fields.filter(isCode);
  // Without names, short numbers beside each other are most often a state and a county.
  const areAreas =
    codes.every((name) => AREA_NAME.test(name)) || codes.every((name) => UNNAMED.test(name));
  const isWhole = codes.length === key.fields.length;
  if (codes.length < 2 || key.repeatedCount > 0 || !(isWhole || areAreas)) return undefined;
  const parts = codes.map((name) => fields.findIndex((field) => field.name === name));
  // Codes of areas within each other, such as of a state and a county, are short numbers.
  const lengths = parts.map(
    (index) =>
      `(min(length(v${index}::VARCHAR)) = max(length(v${index}::VARCHAR)) AND bool_and(regexp_full_match(v${index}::VARCHAR, '[0-9]{1,12}')))`,
  );
  const [row] = await connection.list(
    `SELECT (${lengths.join(' AND ')})::VARCHAR AS fixed FROM ${TYPED_ROWS}`,
  );
  if (row?.['fixed'] !== 'true') return undefined;
  if (parts.some((index) => fields[index]?.document.expression !== undefined)) return undefined;
  const columns = parts.map((index) => fields[index]?.document.column ?? fields[index]?.name ?? '');
  const plain = columns.flatMap((column) => (typeof column === 'object' ? [] : [column]));
  const pads = parts.map((index) => fields[index]?.document.pad);
  const padded = pads.flatMap((pad) => (typeof pad === 'number' ? [pad] : []));
  const name = ['geoid', 'code', 'joined_code'].find((one) =>
    fields.every((field) => field.name !== one),
  );
  if (name === undefined || plain.length < columns.length) return undefined;
  return {
    field: {
      ...codeField(name),
      document: {
        type: 'string',
        column: plain,
        ...(padded.length === pads.length ? { pad: padded } : {}),
      },
      notes: [`The codes ${codes.join(', ')} together identify a ${isWhole ? 'row' : 'place'}.`],
    },
    replaces: codes,
    sql: parts.map((index) => `v${index}::VARCHAR`).join(' || '),
  };
}

const UNNAMED = /^column_\d+$/;

/** Names of areas that are within each other. */
const AREA_NAME =
  /^(geo_?)?(state|county|tract|block|block_?group|blkgrp|cousub|place|site|statefp|countyfp|tractce|blkgrpce|cve_\w+)(_?(fips|fp|code|id|ansi|num|number|no)\d*)?$/;
