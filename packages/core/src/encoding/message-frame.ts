import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf';

/** The flag of a message, 0 or 1, and its length in four bytes (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export const PREFIX_BYTES = 5;

/** A message with its prefix, as it is sent: never compressed. */
export function frameMessage(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.byteLength);
  framed.set(message, PREFIX_BYTES);
  return writePrefix(framed);
}

/** Encodes a message and frames it. */
export function encodeFramed<Schema extends DescMessage>(
  schema: Schema,
  members: MessageInitShape<Schema>,
): { readonly framed: Buffer } {
  return { framed: frameMessage(toBinary(schema, create(schema, members))) };
}

/** Writes the prefix into the first bytes of a buffer whose others are the message. */
export function writePrefix(framed: Buffer): Buffer {
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(framed.length - PREFIX_BYTES, 1);
  return framed;
}
