import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { PREFIX_BYTES } from '@locmetrics/core/encoding/message-frame';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { sizeText } from '@locmetrics/core/errors/size-text';

/** A message as it was sent: its flag and its bytes, which may be compressed. */
export type SentMessage = { readonly flag: number; readonly bytes: Buffer };

/**
 * Splits the bytes of a stream into messages. A message that arrives in parts is collected in one buffer, so that
 * many small parts take no more memory than one.
 */
export class MessageReader {
  readonly #maxBytes: number;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixSize = 0;
  /** The message of which a part has arrived. */
  #message: { readonly flag: number; readonly bytes: Buffer; size: number } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether the begin of a message has arrived, and its end has not. */
  get hasPart(): boolean {
    return this.#prefixSize > 0 || this.#message !== undefined;
  }

  /** The messages that end in this chunk. A message beyond the limit is an error before it has arrived. */
  read(chunk: Buffer): readonly SentMessage[] {
    const messages: SentMessage[] = [];
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#message === undefined) {
        rest = rest.subarray(this.#readPrefix(rest));
        if (this.#prefixSize < PREFIX_BYTES) break;
        this.#prefixSize = 0;
        const flag = this.#prefix.readUInt8(0);
        const length = this.#prefix.readUInt32BE(1);
        if (length > this.#maxBytes) throw messageTooLarge(this.#maxBytes);
        if (length <= rest.length) {
          messages.push({ flag, bytes: rest.subarray(0, length) });
          rest = rest.subarray(length);
          continue;
        }
        this.#message = { flag, bytes: Buffer.allocUnsafe(length), size: 0 };
      }
      const taken = rest.copy(this.#message.bytes, this.#message.size);
      this.#message.size += taken;
      rest = rest.subarray(taken);
      if (this.#message.size === this.#message.bytes.length) {
        messages.push(this.#message);
        this.#message = undefined;
      }
    }
    return messages;
  }

  /** Returns how many bytes of the chunk belong to the prefix. */
  #readPrefix(chunk: Buffer): number {
    const taken = chunk.copy(this.#prefix, this.#prefixSize);
    this.#prefixSize += taken;
    return taken;
  }
}

/** The codings that messages may have. */
export const ACCEPTED_CODINGS = 'identity,deflate,gzip';

/** The message itself; it is decompressed by the coding that the call names. */
export function openMessage(
  { flag, bytes }: SentMessage,
  { coding, maxBytes }: { readonly coding: string | undefined; readonly maxBytes: number },
): Buffer | Promise<Buffer> {
  if (flag === 0) return bytes;
  if (flag > 1) {
    throw new ServiceError('MALFORMED_MESSAGE', 'The message has a flag other than 0 and 1.', {
      hint: 'Send a length-prefixed message as gRPC defines it; a gRPC library does.',
    });
  }
  const decompress = DECOMPRESS.get(coding);
  if (decompress === undefined) {
    throw new ServiceError(
      'COMPRESSION_NOT_NAMED',
      'The message is flagged as compressed, but no encoding is named.',
      { hint: 'Name it in grpc-encoding, or send the message uncompressed.' },
    );
  }
  return decompress(bytes, { maxOutputLength: maxBytes }).catch((error: unknown) => {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') throw messageTooLarge(maxBytes);
    throw new ServiceError('MALFORMED_MESSAGE', 'The message could not be decompressed.', {
      hint: 'Send it without compression.',
    });
  });
}

type Decompress = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECOMPRESS: ReadonlyMap<string | undefined, Decompress> = new Map([
  ['gzip', promisify(gunzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
]);

/** The error of a call that has one message by its definition, and was sent none, half of one, or more. */
export function notOneMessage(message: typeof SECOND_MESSAGE | typeof NO_MESSAGE): ServiceError {
  return new ServiceError('MALFORMED_MESSAGE', message, {
    hint: 'Send one length-prefixed message and then the end of the stream; a gRPC library does.',
  });
}

export const SECOND_MESSAGE = 'The call has more than one message.';
export const NO_MESSAGE = 'The call ended before its message was complete.';

function messageTooLarge(maxBytes: number): ServiceError {
  return new ServiceError('BODY_TOO_LARGE', `The message is larger than ${sizeText(maxBytes)}.`, {
    hint: 'Split a long list of values over several requests.',
  });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
