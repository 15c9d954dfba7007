import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { request as requestHttp } from '@locmetrics/core/network/node-http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ExportFileRequest, noSuchFile } from '../../../service/exports/find-export-file.ts';
import { readInTime } from './read-in-time.ts';

/** Of a request that a node has forwarded. It is never forwarded again. */
const FORWARDED = 'x-locmetrics-forwarded';
/** A node that does not begin its answer in this time cannot be reached. */
const ANSWER_TIMEOUT_MS = 10_000;
/** A node that sends nothing more of a file for this time has stopped. */
const STALL_MS = 30_000;

const SENT = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
] as const;
const RETURNED = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition', 'accept-ranges'],
  ...['etag', 'last-modified', 'cache-control', 'link'],
] as const;

/** All that a node answers to a valid link. */
const PASSED_ON: ReadonlySet<number> = new Set([200, 206, 304, 412, 416]);

/**
 * Answers a link with the file of another node, as it arrives. The node checks the link again, and whether the caller may
 * still have the records. Refused: a link that the node refuses, and a node that cannot be reached.
 */
export async function forwardFile(
  { raw, reply }: { readonly raw: FastifyRequest['raw']; readonly reply: FastifyReply },
  { exportId, file, expires, signature }: ExportFileRequest,
  node: string,
): Promise<unknown> {
  if (raw.headers[FORWARDED] !== undefined) throw nodeAway();
  const query = new URLSearchParams({ expires: String(expires), signature });
  const url = new URL(`${node}/v1/exports/${exportId}/${encodeURIComponent(file)}?${query}`);
  const headers: Record<string, string> = { [FORWARDED]: '1' };
  for (const name of SENT) {
    const value = raw.headers[name];
    if (typeof value === 'string') headers[name] = value;
  }
  const answer = await ask(url, { method: raw.method ?? 'GET', headers }).catch(
    (error: unknown) => {
      throw nodeAway(error);
    },
  );
  const { statusCode = 500 } = answer;
  const isFile = statusCode < 300;
  if (!isFile) answer.resume();
  if (statusCode === 404) throw noSuchFile();
  if (!PASSED_ON.has(statusCode)) throw nodeAway();
  reply.code(statusCode);
  for (const name of RETURNED) {
    const value = answer.headers[name];
    if (value !== undefined && (isFile || !name.startsWith('content-t'))) reply.header(name, value);
  }
  return reply.send(isFile ? Readable.from(readInTime(answer, STALL_MS)) : undefined);
}

function ask(
  url: URL,
  options: { readonly method: string; readonly headers: Record<string, string> },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const asked = open(url, { ...options, timeout: ANSWER_TIMEOUT_MS }, (answer) => {
      // A slow reader must not end it; each read has a time of its own.
      asked.setTimeout(0);
      resolve(answer);
    });
    asked.on('timeout', () => asked.destroy(new Error('The node did not answer in time.')));
    asked.on('error', reject);
    asked.end();
  });
}

function nodeAway(cause?: unknown): ServiceError {
  return new ServiceError('NOT_READY', 'The node that has the file cannot be reached.', {
    hint: 'Try again later, or create another export.',
    cause,
  });
}
