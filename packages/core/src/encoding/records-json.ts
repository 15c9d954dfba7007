import type { Field } from '../domain/field.ts';
import { type Value, valueText } from '../domain/value.ts';
import type { NamedColumn, ValueVisitor, VisitRecord } from '../domain/value-visitor.ts';
import { expectAt } from '../errors/expect-at.ts';
import { openTicks } from '../runtime/ticks.ts';
import { type ByteWriter, openByteWriter, type Part, toPart } from './byte-writer.ts';
import { toFieldDefinition } from './data-reference.ts';
import { dayPart } from './day-part.ts';
import { encodeJson } from './json.ts';
import type { PageMembers, TokenAfter } from './page-members.ts';

export type RecordsPage = PageMembers & {
  readonly fields: readonly Field[];
  readonly size: number;
  readonly visit: VisitRecord;
  /** The names of the fields whose value in the record with this index is withheld; absent if none has a mark. */
  readonly withheldAt?: ((index: number) => readonly string[]) | undefined;
};

/**
 * The JSON of a page of records, written value by value: texts are copied from the bytes that they are stored as, and
 * integers beyond 2^53 keep all their digits.
 */
export async function encodeRecordsPage(
  page: RecordsPage,
  { typedValues }: { readonly typedValues: boolean },
): Promise<Buffer> {
  const { fields, size, visit, withheldAt, totalSize, costRows, nextPageToken, version } = page;
  const names = jsonNames(fields);
  const recordBytes = names.reduce((sum, { length }) => sum + length + VALUE_BYTES, 0);
  const out = openByteWriter(REST_BYTES + size * recordBytes);
  const visitor = openJsonValueWriter(out, names, typedValues);
  const ticks = openTicks();
  out.text('{"records":[');
  for (let index = 0; index < size; index += 1) {
    if (index % RECORDS_AT_ONCE === 0 && ticks.isOver()) await ticks.next();
    const opening = index === 0 ? FIRST_RECORD : NEXT_RECORD;
    out.part(opening);
    visit(index, visitor);
    const withheld = typedValues ? (withheldAt?.(index) ?? []) : [];
    if (withheld.length > 0) out.text(`},"withheld":${JSON.stringify(withheld)}}`);
    else out.part(RECORD_END);
  }
  const definitions = JSON.stringify(fields.map(toFieldDefinition));
  const cost = costRows === undefined ? '' : `,"costRows":${costRows}`;
  out.text(
    `],"fieldDefinitions":${definitions},"nextPageToken":${JSON.stringify(nextPageToken(size))},"totalSize":${totalSize},"version":${JSON.stringify(version)}${cost}}`,
  );
  return out.end();
}

/** The text before the value of each field. */
export function jsonNames(fields: readonly NamedColumn[]): readonly string[] {
  return fields.map(({ name }, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
}

/** About the size of a value, and of all that is not in a record. */
const VALUE_BYTES = 16;
const REST_BYTES = 4096;

/** The number of records between two checks whether the tick is over. */
const RECORDS_AT_ONCE = 16;

const FIRST_RECORD = toPart('{"fields":{');
const NEXT_RECORD = toPart(',{"fields":{');
const RECORD_END = toPart('}}');
const QUOTE = 0x22;

/** Writes each value after the text that names its field (`"city":`); without `typedValues` as a text, which is empty if it is absent. */
export function openJsonValueWriter(
  out: ByteWriter,
  names: readonly string[],
  typedValues: boolean,
): ValueVisitor {
  const bare = names.map(toPart);
  const quoted = names.map((name) => toPart(`${name}"`));
  const startField = (before: readonly Part[], field: number): void =>
    out.part(expectAt(before, field));
  return {
    text: (field, bytes, start, end) => {
      out.jsonPart(expectAt(quoted, field), bytes, start, end);
    },
    number: (field, value) => {
      startField(typedValues ? bare : quoted, field);
      out.number(value);
      if (!typedValues) out.byte(QUOTE);
    },
    day: (field, days) => {
      startField(quoted, field);
      out.part(dayPart(days));
      out.byte(QUOTE);
    },
    value: (field, value) => {
      if (typeof value === 'string') {
        out.jsonText(expectAt(quoted, field), value);
        return;
      }
      startField(typedValues ? bare : quoted, field);
      out.ascii(typedValues ? String(value) : valueText(value));
      if (!typedValues) out.byte(QUOTE);
    },
  };
}

/** The JSON of a page of distinct values: their text forms. */
export function encodeFieldValuesPage(page: {
  readonly field: Field;
  readonly values: readonly Value[];
  readonly totalSize: number | undefined;
  readonly costRows?: number;
  readonly nextPageToken: TokenAfter;
  readonly version: string;
}): Buffer {
  const { field, values, totalSize, costRows, nextPageToken, version } = page;
  return encodeJson({
    values: values.map(valueText),
    fieldDefinition: toFieldDefinition(field),
    nextPageToken: nextPageToken(values.length),
    totalSize,
    version,
    costRows,
  });
}
