import { inflateRawSync } from 'node:zlib';
import { dayText } from '@locmetrics/core/dates/calendar-date';
import type { Value } from '@locmetrics/core/domain/value';
import { Type } from 'typebox';
import { Value as Shape } from 'typebox/value';

/** An Avro object container file: days are texts. */
export type ReadAvro = {
  readonly schema: AvroSchema;
  readonly rows: readonly (readonly Value[])[];
  /** The metadata other than that of Avro. */
  readonly metadata: Readonly<Record<string, string>>;
};

type AvroSchema = Type.Static<typeof SchemaShape>;

const SchemaShape = Type.Object(
  {
    type: Type.Literal('record'),
    name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*$' }),
    fields: Type.Array(
      Type.Object(
        {
          name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]*$' }),
          type: Type.Tuple([
            Type.Literal('null'),
            Type.Union([
              Type.Enum(['string', 'long', 'double', 'boolean']),
              Type.Object({ type: Type.Literal('int'), logicalType: Type.Literal('date') }),
            ]),
          ]),
          default: Type.Null(),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const MARKER_BYTES = 16;
const MS_PER_DAY = 86_400_000;

/** Reads a file by the specification, and refuses all that it does not allow. */
export function readAvro(bytes: Buffer): ReadAvro {
  const file = openReader(bytes);
  if (file.take(4).toString('latin1') !== 'Obj\u0001') throw new Error('It is not an Avro file.');
  const facts: Record<string, string> = {};
  for (let count = Number(file.long()); count !== 0; count = Number(file.long())) {
    for (let member = 0; member < count; member += 1) facts[file.text()] = file.text();
  }
  const marker = file.take(MARKER_BYTES);
  const { 'avro.schema': schemaText = '', 'avro.codec': codec, ...metadata } = facts;
  if (codec !== 'deflate') throw new Error(`The codec is ${codec}.`);
  const schema = Shape.Parse(SchemaShape, JSON.parse(schemaText));
  const rows: Value[][] = [];
  while (!file.isOver()) {
    const count = Number(file.long());
    const block = openReader(inflateRawSync(file.take(Number(file.long()))));
    for (let row = 0; row < count; row += 1) {
      rows.push(schema.fields.map(({ type: [, present] }) => readValue(block, present)));
    }
    if (!block.isOver()) throw new Error('A block has bytes after its records.');
    if (!file.take(MARKER_BYTES).equals(marker)) throw new Error('A block does not end.');
  }
  return { schema, rows, metadata };
}

/** Its rows as NDJSON. */
export function avroLines({ schema, rows }: Pick<ReadAvro, 'schema' | 'rows'>): string {
  return rows
    .map((row) => {
      const members = row.map(
        (value, index) =>
          `${JSON.stringify(schema.fields[index]?.name)}:${typeof value === 'bigint' ? value : JSON.stringify(value)}`,
      );
      return `{${members.join(',')}}\n`;
    })
    .join('');
}

type Reader = ReturnType<typeof openReader>;

function readValue(block: Reader, type: AvroSchema['fields'][number]['type'][1]): Value {
  const branch = block.long();
  if (branch === 0n) return null;
  if (branch !== 1n) throw new Error(`A union has no type ${branch}.`);
  if (type === 'string') return block.text();
  if (type === 'long') return block.long();
  if (type === 'double') return block.take(8).readDoubleLE();
  if (type === 'boolean') return block.take(1)[0] === 1;
  return dayText(Number(block.long()) * MS_PER_DAY);
}

function openReader(bytes: Buffer) {
  let at = 0;
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw new Error('The bytes end early.');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const long = (): bigint => {
    let [zigzag, shift] = [0n, 0n];
    for (;;) {
      const byte = BigInt(take(1).readUInt8());
      zigzag |= (byte & 127n) << shift;
      shift += 7n;
      if (byte < 128n) break;
    }
    return (zigzag >> 1n) ^ -(zigzag & 1n);
  };
  return {
    take,
    long,
    text: () => take(Number(long())).toString('utf8'),
    isOver: () => at === bytes.length,
  };
}
