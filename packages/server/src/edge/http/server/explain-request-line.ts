import { ServiceError } from '@locmetrics/core/errors/service-error';

/**
 * The error for the first line of a request that Node's parser refused, if the line shows what is wrong: an unknown
 * method, or an address that is not percent-encoded. Undefined for other bytes.
 */
export function explainRequestLine(failure: {
  readonly code?: string;
  /** The bytes that were parsed last. */
  readonly rawPacket?: unknown;
  /** How many of them were valid. */
  readonly bytesParsed?: number;
}): ServiceError | undefined {
  const [, method = '', target = ''] = REQUEST_LINE.exec(lineOf(failure)) ?? [];
  if (method === '') return failure.code === 'HPE_INVALID_URL' ? notEncoded() : undefined;
  if (!ENCODED.test(target)) return notEncoded(textOf(target));
  return failure.code === 'HPE_INVALID_METHOD' ? unknownMethod(method) : undefined;
}

/** Each byte is a character. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (.+) HTTP\/1\.[01]\r?$/s;
const ENCODED = /^[!-~]*$/;

/** The line of the first invalid byte; empty if only a part of it has arrived. */
function lineOf({ rawPacket, bytesParsed = 0 }: Parameters<typeof explainRequestLine>[0]): string {
  if (!Buffer.isBuffer(rawPacket)) return '';
  const start = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1;
  const end = rawPacket.indexOf('\n', start);
  return end === -1 ? '' : rawPacket.toString('latin1', start, end);
}

/** Clients send text in UTF-8, or in the character set of their system. */
function textOf(target: string): string {
  try {
    return UTF8.decode(Buffer.from(target, 'latin1'));
  } catch {
    return target;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function notEncoded(target = ''): ServiceError {
  const encoded = target.replaceAll(/[^!-~]+/g, encodeURIComponent);
  const isShown = target !== '' && encoded.length <= SHOWN_LENGTH_MAX;
  return new ServiceError(
    'INVALID_REQUEST',
    'The URL has non-ASCII characters or spaces that are not percent-encoded.',
    { hint: isShown ? `Send ${encoded}` : 'Encode each parameter in UTF-8, a space as %20.' },
  );
}

const SHOWN_LENGTH_MAX = 2000;

/** An unknown method, or one that only proxies have. */
export function unknownMethod(method: string): ServiceError {
  return new ServiceError('METHOD_UNKNOWN', `The method ${method.slice(0, 50)} is not known.`, {
    hint: 'Send GET or POST; methods are in upper case.',
  });
}
