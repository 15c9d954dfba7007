import {
  type DescEnum,
  type DescField,
  type DescMessage,
  fromBinary,
  type MessageShape,
} from '@bufbuild/protobuf';
import { type ReflectMessage, reflect } from '@bufbuild/protobuf/reflect';
import { ServiceError } from '../../domain/service-error.ts';

/**
 * Parses the bytes of a request. Nothing is ignored silently: fields that the message does not have, at any
 * depth, and numbers that an enum does not have are refused.
 */
export function readMessage<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  const message = decode(schema, bytes);
  checkMessage(reflect(schema, message), '');
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

function checkMessage(message: ReflectMessage, pointer: string): void {
  const [unknown] = message.getUnknown() ?? [];
  if (unknown !== undefined) throw unknownField(message, unknown.no, pointer);
  for (const field of message.fields) {
    if (message.isSet(field)) checkField(message, field, `${pointer}/${field.jsonName}`);
  }
}

function checkField(message: ReflectMessage, field: DescField, pointer: string): void {
  switch (field.fieldKind) {
    case 'message':
      checkMessage(message.get(field), pointer);
      break;
    case 'enum':
      checkEnum(field.enum, message.get(field), pointer);
      break;
    case 'list':
      for (const [index, item] of [...message.get(field)].entries()) {
        // An item of a list of messages is such a message.
        if (field.listKind === 'message')
          checkMessage(item as ReflectMessage, `${pointer}/${index}`);
        if (field.listKind === 'enum') checkEnum(field.enum, item, `${pointer}/${index}`);
      }
      break;
    case 'map':
    case 'scalar':
      // No request has a map of messages or enums; a test checks all of them.
      break;
  }
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

function unknownField(message: ReflectMessage, number: number, pointer: string): ServiceError {
  const { desc } = message;
  if (message.findNumber(number) !== undefined) {
    return ServiceError.atPointer(
      'MALFORMED_MESSAGE',
      pointer,
      `The field ${number} of ${desc.typeName} was sent with the wrong wire type.`,
      'Send the message with a client generated from the .proto files.',
    );
  }
  const known = message.sortedFields.map((field) => `${field.name} = ${field.number}`).join(', ');
  return ServiceError.atPointer(
    'UNKNOWN_REQUEST_FIELD',
    pointer,
    `Unknown field ${number} of ${desc.typeName} in the request.`,
    known === '' ? 'The message has no fields.' : `Known are ${known}.`,
  );
}
