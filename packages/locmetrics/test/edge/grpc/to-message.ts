import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';

/**
 * The JSON of a message (for `fromJson`) from a body over HTTP, which has short names of enumerations, such as `SUM`, days
 * `YYYY-MM-DD`, and fields that are only a name.
 */
export function toMessage(message: DescMessage, body: object): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const field = message.fields.find(({ jsonName }) => jsonName === name);
      if (field === undefined) throw new Error(`${message.name} has no member '${name}'.`);
      const toValue = (one: unknown) => toMember(field, one);
      return [name, Array.isArray(value) ? value.map(toValue) : toValue(value)];
    }),
  );
}

function toMember({ enum: names, message }: DescField, value: unknown): JsonValue {
  if (names !== undefined) {
    const found = names.values.find(({ localName }) => localName === value);
    if (found === undefined) throw new Error(`${names.name} has no '${value}'.`);
    return found.number;
  }
  if (message?.typeName === 'unacast.unatype.Date') {
    const [year = 0, month = 0, day = 0] = String(value).split('-').map(Number);
    return { year, month, day };
  }
  if (message?.typeName === 'unacast.catalog.v3.Field' && typeof value === 'string') {
    return { name: value };
  }
  if (message !== undefined) return toMessage(message, Object(value));
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}
