import { strict as assert } from 'node:assert';
import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { Value } from '@locmetrics/core/domain/value';
import type { ReadParquet } from './read-parquet.ts';

/** A stream of Arrow, with the names that DuckDB has for types. It is complete if it has the marker of the end. */
export type ReadArrow = ReadParquet & {
  /** The number of records of each batch. */
  readonly batches: readonly number[];
  readonly isComplete: boolean;
};

/** Reads a stream of Arrow of the types that fields have, by the texts of `Schema.fbs` and `Message.fbs`. */
export function readArrow(bytes: Buffer): ReadArrow {
  const rows: (readonly Value[])[] = [];
  const batches: number[] = [];
  let schema: Pick<ReadArrow, 'types' | 'metadata'> | undefined;
  let isComplete = false;
  for (let at = 0; at < bytes.length; ) {
    assert.equal(isComplete, false, 'Bytes come after the end.');
    assert.equal(bytes.readInt32LE(at), -1);
    const size = bytes.readInt32LE(at + 4);
    at += 8;
    isComplete = size === 0;
    if (isComplete) continue;
    assert.equal((at + size) % 8, 0);
    const message = rootOf(bytes.subarray(at, at + size));
    assert.equal(message.number(0, 2), 4, 'The version of the metadata is 5.');
    const bodyBytes = message.number(3, 8);
    const body = bytes.subarray(at + size, at + size + bodyBytes);
    assert.equal(body.length, bodyBytes);
    at += size + bodyBytes;
    if (schema === undefined) {
      assert.equal(message.number(1, 1), 1);
      schema = schemaOf(message.table(2));
    } else {
      assert.equal(message.number(1, 1), 3);
      const batch = rowsOf(message.table(2), body, schema.types);
      batches.push(batch.length);
      rows.push(...batch);
    }
  }
  assert.ok(schema !== undefined);
  return { ...schema, rows, batches, isComplete };
}

/** A table of a flat buffer; its fields by their numbers. */
type Table = {
  readonly number: (field: number, bytes: 1 | 2 | 4 | 8, otherwise?: number) => number;
  readonly table: (field: number) => Table;
  readonly text: (field: number) => string;
  readonly tables: (field: number) => readonly Table[];
  readonly pairs: (field: number) => readonly (readonly [number, number])[];
};

function rootOf(bytes: Buffer): Table {
  return tableAt(bytes, bytes.readUInt32LE(0));
}

function tableAt(bytes: Buffer, at: number): Table {
  assert.equal(at % 4, 0);
  const layout = at - bytes.readInt32LE(at);
  const placeOf = (field: number): number => {
    const entry = 4 + 2 * field;
    return entry < bytes.readUInt16LE(layout) ? bytes.readUInt16LE(layout + entry) : 0;
  };
  const targetOf = (field: number): number => {
    const place = placeOf(field);
    assert.notEqual(place, 0, `The table has no field ${field}.`);
    return at + place + bytes.readUInt32LE(at + place);
  };
  return {
    number: (field, size, otherwise = 0) => {
      const place = placeOf(field);
      if (place === 0) return otherwise;
      assert.equal((at + place) % size, 0);
      return size === 8
        ? Number(bytes.readBigInt64LE(at + place))
        : bytes.readIntLE(at + place, size);
    },
    table: (field) => tableAt(bytes, targetOf(field)),
    text: (field) => {
      const target = targetOf(field);
      const end = target + 4 + bytes.readUInt32LE(target);
      assert.equal(bytes[end], 0);
      return bytes.toString('utf8', target + 4, end);
    },
    tables: (field) => {
      const target = targetOf(field);
      return Array.from({ length: bytes.readUInt32LE(target) }, (_, index) => {
        const entry = target + 4 * (1 + index);
        return tableAt(bytes, entry + bytes.readUInt32LE(entry));
      });
    },
    pairs: (field) => {
      const target = targetOf(field);
      assert.equal((target + 4) % 8, 0);
      return Array.from({ length: bytes.readUInt32LE(target) }, (_, index) => {
        const entry = target + 4 + 16 * index;
        return [
          Number(bytes.readBigInt64LE(entry)),
          Number(bytes.readBigInt64LE(entry + 8)),
        ] as const;
      });
    },
  };
}

function schemaOf(schema: Table): Pick<ReadArrow, 'types' | 'metadata'> {
  assert.equal(schema.number(0, 2), 0, 'The lowest byte is first.');
  return {
    types: schema.tables(1).map((field) => {
      assert.deepEqual(field.tables(5), []);
      assert.equal(field.number(1, 1), 1, 'A field can be absent.');
      return [field.text(0), typeName(field.number(2, 1), field.table(3))] as const;
    }),
    metadata: Object.fromEntries(schema.tables(2).map((fact) => [fact.text(0), fact.text(1)])),
  };
}

function typeName(kind: number, type: Table): string {
  switch (kind) {
    case 2:
      assert.deepEqual([type.number(0, 4), type.number(1, 1)], [64, 1]);
      return 'BIGINT';
    case 3:
      assert.equal(type.number(0, 2), 2);
      return 'DOUBLE';
    case 5:
      return 'VARCHAR';
    case 6:
      return 'BOOLEAN';
    case 8:
      // Days; without a number they are milliseconds.
      assert.equal(type.number(0, 2, 1), 0);
      return 'DATE';
    default:
      throw new Error(`No field has the type ${kind}.`);
  }
}

function rowsOf(batch: Table, body: Buffer, types: ReadArrow['types']): (readonly Value[])[] {
  const size = batch.number(0, 8);
  const absent = batch.pairs(1);
  const buffers = batch.pairs(2).map(([start, length]) => {
    assert.equal(start % 8, 0);
    return body.subarray(start, start + length);
  });
  let next = 0;
  const take = (): Buffer => {
    const buffer = buffers[next];
    assert.ok(buffer !== undefined);
    next += 1;
    return buffer;
  };
  const columns = types.map(([, type], index) => {
    const present = take();
    const data = take();
    const texts = type === 'VARCHAR' ? take() : data;
    const values = Array.from({ length: size }, (_, row) =>
      bitAt(present, row) ? valueAt(type, { data, texts, row }) : null,
    );
    assert.deepEqual(absent[index], [size, values.filter((value) => value === null).length]);
    return values;
  });
  assert.equal(next, buffers.length);
  return Array.from({ length: size }, (_, row) => columns.map((values) => values[row] ?? null));
}

function valueAt(
  type: string,
  { data, texts, row }: { readonly data: Buffer; readonly texts: Buffer; readonly row: number },
): Value {
  switch (type) {
    case 'BIGINT':
      return data.readBigInt64LE(row * 8);
    case 'DOUBLE':
      return data.readDoubleLE(row * 8);
    case 'BOOLEAN':
      return bitAt(data, row);
    case 'DATE':
      return dayText(data.readInt32LE(row * 4) * 86_400_000);
    default:
      return texts.toString('utf8', data.readInt32LE(row * 4), data.readInt32LE(row * 4 + 4));
  }
}

function bitAt(bits: Buffer, index: number): boolean {
  return (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
}
