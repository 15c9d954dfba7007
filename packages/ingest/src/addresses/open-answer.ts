import type { IncomingMessage } from 'node:http';
import { request as requestEncrypted } from 'node:https';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { request as requestPlain } from '@locmetrics/core/network/node-http';
import { AddressProblem } from './address-problem.ts';

/** The answer of a server: its head, and its body as it comes. */
export type Answer = {
  readonly status: number;
  readonly statusText: string;
  readonly header: (name: string) => string | undefined;
  /** The bytes of the file. */
  readonly body: Readable;
  /** The number of bytes, if the server tells it. */
  readonly size: number | undefined;
  /** Ends the answer without its body. */
  readonly cancel: () => void;
};

/**
 * Asks a server. Not by Node's `fetch`: in Node 24 that ends the process if a server closes the connection at the end of
 * a body which is read more slowly than it comes.
 */
export function openAnswer(
  url: URL,
  {
    headers,
    signal,
  }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const send = url.protocol === 'https:' ? requestEncrypted : requestPlain;
  const request = send(url, { headers, signal }, (message) => {
    try {
      resolve(toAnswer(message));
    } catch (error) {
      message.destroy();
      reject(error);
    }
  });
  request.on('error', reject);
  request.end();
  return promise;
}

function toAnswer(message: IncomingMessage): Answer {
  const { statusCode = 0, statusMessage = '' } = message;
  const coding = message.headers['content-encoding'];
  const length = message.headers['content-length'];
  return {
    status: statusCode,
    statusText: statusMessage,
    header: (name) => {
      const value = message.headers[name];
      return typeof value === 'string' ? value : value?.[0];
    },
    body: decoded(message, coding),
    // The length is that of the compressed bytes.
    size: length === undefined || coding !== undefined ? undefined : Number(length),
    cancel: () => message.destroy(),
  };
}

/** Some servers compress although no coding was asked for. */
function decoded(message: IncomingMessage, coding: string | undefined): Readable {
  if (coding === undefined || coding === 'identity') return message;
  const decoder = DECODERS[coding]?.();
  if (decoder === undefined) {
    throw new AddressProblem({
      reason: `was sent with the content encoding ${coding}, which was not requested`,
      hint: 'Download the file, and name the copy in the manifest.',
    });
  }
  message.on('error', (error) => decoder.destroy(error));
  return message.pipe(decoder);
}

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
