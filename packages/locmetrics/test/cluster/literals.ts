import { type BoundValue, boundValues } from '@locmetrics/cluster/clickhouse/bound-values';
import type { FieldType } from '@locmetrics/core/domain/field';
import type { SqlParameter } from '@locmetrics/core/sql/sql-dialect';

/**
 * The text of a statement with its values written into it. It stands in for the bound values of ClickHouse, which the old
 * server does not have, and is for tests alone: the service never writes a value into a statement.
 */
export function writeLiterals({
  text,
  parameters,
}: {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
}): string {
  const values = boundValues(parameters);
  return text.replaceAll(PLACEHOLDER, (_, number: string) => {
    const parameter = parameters[Number(number) - 1];
    const value = values[`p${number}`];
    if (parameter === undefined || value === undefined) throw new Error(`No value p${number}.`);
    return literal(parameter.type, value);
  });
}

const PLACEHOLDER = /\{p(\d+):[A-Za-z0-9()]+\}/g;

/** An expression of the value with the type that the value would be bound with. */
function literal(type: FieldType, value: BoundValue): string {
  if (typeof value === 'object') return listLiteral(type, value);
  return ofText(type, quote(textOf(type, value)));
}

/** A list is written as one of texts, because numbers of different widths have no common type. */
function listLiteral(type: FieldType, values: readonly BoundValue[]): string {
  if (values.length === 0) return `emptyArray${ELEMENT_TYPES[type]}()`;
  const texts = values.map((value) => quote(textOf(type, value))).join(', ');
  return type === 'string'
    ? `[${texts}]`
    : `arrayMap(_text -> ${ofText(type, '_text')}, [${texts}])`;
}

function textOf(type: FieldType, value: BoundValue): string {
  if (type === 'boolean') return value === true ? '1' : '0';
  return type === 'float' ? doubleHex(Number(value)) : String(value);
}

/** The value of a text. A float is written as its bytes, because the old server does not parse the smallest ones. */
function ofText(type: FieldType, text: string): string {
  switch (type) {
    case 'string':
      return text;
    case 'integer':
      return `toInt64(${text})`;
    case 'float':
      return `reinterpretAsFloat64(unhex(${text}))`;
    case 'boolean':
      return `toUInt8(${text})`;
    case 'date':
      return `toInt32(${text})`;
  }
}

const ELEMENT_TYPES: Readonly<Record<FieldType, string>> = {
  string: 'String',
  integer: 'Int64',
  float: 'Float64',
  boolean: 'UInt8',
  date: 'Int32',
};

function doubleHex(value: number): string {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.toString('hex');
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&').replaceAll('\0', '\\0')}'`;
}
