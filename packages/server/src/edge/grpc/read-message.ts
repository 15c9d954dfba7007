import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromBinary,
  type Message,
  type MessageShape,
} from '@bufbuild/protobuf';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { memoize } from '@locmetrics/core/runtime/memoize';

/**
 * Parses the bytes of a request. Nothing is ignored silently: fields that the message does not have, at any
 * depth, and numbers that an enum does not have are refused.
 *
 * The edge parses and encodes messages itself: a message that cannot be parsed is the error of its caller and not an
 * internal one, and a page is composed of encoded rows, whose size is known while they are added.
 */
export function readMessage<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  const message = decode(schema, bytes);
  checkMessage(schema, message, '');
  return message;
}

function decode<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  try {
    return fromBinary(schema, bytes);
  } catch {
    throw new ServiceError('MALFORMED_MESSAGE', `The bytes are not a ${schema.typeName}.`, {
      hint: 'Send the message with a client generated from the .proto files; text must be UTF-8.',
    });
  }
}

function checkMessage(schema: DescMessage, message: Message, pointer: string): void {
  const [unknown] = message.$unknown ?? [];
  if (unknown !== undefined) throw unknownField(schema, unknown.no, pointer);
  for (const { field, read } of checkedFields(schema)) {
    const value = read(message);
    if (value !== undefined) checkField(field, value, `${pointer}/${field.jsonName}`);
  }
}

/** The fields whose values can have unknown parts, and how each is read from a message; known of few schemas. */
const checkedFields = memoize((schema: DescMessage): readonly CheckedField[] =>
  schema.fields.filter(hasParts).map((field) => ({ field, read: readerOf(field) })),
);

/** No request has a map of messages or enums. */
function hasParts({ fieldKind, message, enum: values }: DescField): boolean {
  return fieldKind !== 'map' && (message !== undefined || values !== undefined);
}

type CheckedField = {
  readonly field: DescField;
  readonly read: (message: Message) => unknown;
};

function readerOf({ oneof, localName }: DescField): CheckedField['read'] {
  if (oneof === undefined) return (message) => memberOf(message, localName);
  return (message) => {
    const chosen = memberOf(message, oneof.localName);
    return memberOf(chosen, 'case') === localName ? memberOf(chosen, 'value') : undefined;
  };
}

function memberOf(value: unknown, name: string): unknown {
  // A message has its fields as members (protobuf-es, "Message objects").
  return (value as Readonly<Record<string, unknown>> | undefined)?.[name];
}

function checkField(field: DescField, value: unknown, pointer: string): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkItem(field, item, `${pointer}/${index}`);
  } else checkItem(field, value, pointer);
}

function checkItem({ message, enum: values }: DescField, value: unknown, pointer: string): void {
  // The value is of the kind of its field, because it was parsed by the schema.
  if (message !== undefined) checkMessage(message, value as Message, pointer);
  if (values !== undefined) checkEnum(values, value, pointer);
}

function checkEnum(
  { typeName, values }: DescEnum,
  // Enum fields are parsed as numbers.
  number: unknown,
  pointer: string,
): void {
  if (values.some((value) => value.number === number)) return;
  const known = values.map((value) => `${value.number} (${value.name})`).join(', ');
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    pointer,
    `${typeName} has no value ${number}.`,
    `It can be ${known}.`,
  );
}

function unknownField(schema: DescMessage, number: number, pointer: string): ServiceError {
  if (schema.fields.some((field) => field.number === number)) {
    return ServiceError.atPointer(
      'MALFORMED_MESSAGE',
      pointer,
      `The field ${number} of ${schema.typeName} was sent with the wrong wire type.`,
      'Send the message with a client generated from the .proto files.',
    );
  }
  const known = schema.fields
    .toSorted((left, right) => left.number - right.number)
    .map((field) => `${field.name} = ${field.number}`)
    .join(', ');
  return ServiceError.atPointer(
    'UNKNOWN_REQUEST_FIELD',
    pointer,
    `Unknown field ${number} of ${schema.typeName} in the request.`,
    known === '' ? 'The message has no fields.' : `Known: ${known}.`,
  );
}
