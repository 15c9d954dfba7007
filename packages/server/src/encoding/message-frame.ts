/** The flag of a message, 0 or 1, and its length in four bytes (gRPC over HTTP/2, "Length-Prefixed-Message"). */
export const PREFIX_BYTES = 5;

/** A message with its prefix, as it is sent: never compressed. */
export function frameMessage(message: Uint8Array): Buffer {
  const framed = Buffer.allocUnsafe(PREFIX_BYTES + message.byteLength);
  framed.set(message, PREFIX_BYTES);
  return writePrefix(framed);
}

/** Writes the prefix into the first bytes of a buffer whose others are the message. */
export function writePrefix(framed: Buffer): Buffer {
  framed.writeUInt8(0, 0);
  framed.writeUInt32BE(framed.length - PREFIX_BYTES, 1);
  return framed;
}
