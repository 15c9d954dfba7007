/** Assembles bytes from texts and from parts that are bytes already, in one growing buffer. */
export type ByteWriter = {
  readonly text: (text: string) => void;
  readonly bytes: (bytes: Uint8Array) => void;
  /** All that was written. The writer must not be used any more. */
  readonly end: () => Buffer;
};

/** The most bytes of a UTF-16 code unit in UTF-8. */
const BYTES_PER_UNIT_MAX = 3;

export function openByteWriter(expectedBytes: number): ByteWriter {
  let buffer = Buffer.allocUnsafeSlow(expectedBytes);
  let at = 0;
  const need = (more: number): void => {
    if (at + more <= buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(buffer.length * 2, at + more));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };
  return {
    text: (text) => {
      need(text.length * BYTES_PER_UNIT_MAX);
      at += buffer.write(text, at);
    },
    bytes: (bytes) => {
      need(bytes.length);
      buffer.set(bytes, at);
      at += bytes.length;
    },
    end: () => buffer.subarray(0, at),
  };
}
