/**
 * Rows of `JSONCompactEachRow` in the format `RowBinary`, for a server that does not know the first and loses digits of
 * floats in texts. Types are those of ClickHouse, by column.
 */
export function toRowBinary(lines: string, types: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  for (const line of lines.split('\n')) {
    if (line === '') continue;
    const row = JSON.parse(line, keepDigits) as readonly (Digits | string | boolean | null)[];
    row.forEach((value, index) => {
      const type = types[index] ?? '';
      const nullable = /^Nullable\((.*)\)$/.exec(type)?.[1];
      if (nullable !== undefined) parts.push(Buffer.from([value === null ? 1 : 0]));
      if (value !== null) parts.push(valueBytes(value, nullable ?? type));
    });
  }
  return Buffer.concat(parts);
}

type Digits = { readonly digits: string };

/** Whole numbers may have more digits than a double. */
function keepDigits(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? { digits: context?.source ?? String(value) } : value;
}

function valueBytes(value: Digits | string | boolean, type: string): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([varint(text.length), text]);
  }
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(type === 'Int32' ? 4 : 8);
  if (type === 'Int64') bytes.writeBigInt64LE(BigInt(value.digits));
  else if (type === 'Int32') bytes.writeInt32LE(Number(value.digits));
  else bytes.writeDoubleLE(Number(value.digits));
  return bytes;
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  let rest = number;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
