import type { ListenerName } from './messages.ts';

/**
 * Whether a worker can use the first bytes of a connection: a whole head of HTTP, a whole first record of TLS, or the
 * preface of HTTP/2. Bytes that can become none of them are passed on too, because the worker answers them.
 */
export function isOpeningWhole(listener: ListenerName, bytes: Buffer): boolean {
  switch (listener) {
    case 'http':
      return isHeadWhole(bytes);
    case 'https':
    case 'grpc':
      return isRecordWhole(bytes);
    case 'grpcPlaintext':
      return (
        bytes.length >= PREFACE_BYTES ||
        bytes.indexOf(PREFACE_START.subarray(0, bytes.length)) !== 0
      );
  }
}

/** The worker refuses larger heads. */
const HEAD_MAX_BYTES = 16 * 1024;

function isHeadWhole(bytes: Buffer): boolean {
  if (bytes.includes('\r\n\r\n') || bytes.length > HEAD_MAX_BYTES) return true;
  const end = bytes.indexOf('\n');
  const first = bytes.toString('latin1', 0, end === -1 ? bytes.length : end);
  return !(end === -1 ? LINE_PART : LINE).test(first);
}

/** The first line of a request, without its line feed. */
const LINE = /^[A-Z][A-Z-]* \S+ HTTP\/1\.[01]\r$/;
const LINE_PART = /^[A-Z][A-Z-]*( (\S+( (H(T(T(P(\/(1(\.([01]\r?)?)?)?)?)?)?)?)?)?)?)?$/;

/** The type of a handshake, two bytes of version and two of length (RFC 8446 § 5.1). */
const RECORD_HEAD_BYTES = 5;
const HANDSHAKE = 22;

function isRecordWhole(bytes: Buffer): boolean {
  if (bytes[0] !== HANDSHAKE) return true;
  return (
    bytes.length >= RECORD_HEAD_BYTES && bytes.length >= RECORD_HEAD_BYTES + bytes.readUInt16BE(3)
  );
}

/** RFC 9113 § 3.4 */
const PREFACE_START = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const PREFACE_BYTES = PREFACE_START.length;
