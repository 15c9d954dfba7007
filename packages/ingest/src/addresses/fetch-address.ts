import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { roundedSize, sizeText } from '@locmetrics/core/errors/size-text';
import { isS3, isUnencrypted, shownAddress } from '../manifest/source-address.ts';
import { AddressProblem } from './address-problem.ts';
import { type AddressEnvironment, type AddressRequest, toRequest } from './address-request.ts';
import { explainNetworkError, explainStatus } from './explain-answer.ts';
import { type Answer, openAnswer } from './open-answer.ts';

/** The copy of a file at an address. */
export type FetchedFile = {
  readonly path: string;
  /** The address without its secrets. */
  readonly address: string;
  /** The tag by which the server distinguishes versions of the file. */
  readonly etag?: string | undefined;
};

export type FetchOptions = {
  /** The folder of the copy, created when it is needed. */
  readonly folder: string;
  readonly bytesMax: number;
  readonly environment: AddressEnvironment;
  /** Called with the part that was fetched, from 0 to 1, where the server tells the size. */
  readonly onFraction?: ((fraction: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The time without any byte after which an attempt ends. */
  readonly silenceMs?: number | undefined;
  /** The pauses before each further attempt. */
  readonly pausesMs?: readonly number[] | undefined;
};

/**
 * Fetches the file at an address, in bounded memory. An attempt that fails for a reason that may pass is repeated. An
 * `AddressProblem` tells why the file cannot be had.
 */
export async function fetchAddress(address: string, options: FetchOptions): Promise<FetchedFile> {
  const { pausesMs = [1000, 4000], signal } = options;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await fetchOnce(address, options);
    } catch (error) {
      signal?.throwIfAborted();
      const pauseMs = pausesMs[attempt];
      if (!(error instanceof AddressProblem) || !error.isTransient) throw error;
      if (pauseMs === undefined) throw afterAttempts(error, attempt + 1);
      await wait(pauseMs, undefined, { signal });
    }
  }
}

function afterAttempts(problem: AddressProblem, count: number): AddressProblem {
  if (count === 1) return problem;
  return new AddressProblem({
    reason: `${problem.reason}, after ${count} attempts`,
    hint: problem.hint,
    cause: problem,
  });
}

async function fetchOnce(address: string, options: FetchOptions): Promise<FetchedFile> {
  const silence = openSilence(options);
  try {
    const { answer, url } = await request(address, options, silence.signal);
    const path = await writeBody(answer, { ...options, url, onBytes: silence.restart });
    const etag = answer.header('etag');
    return { path, address: shownAddress(address), etag };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (silence.signal.aborted) throw silence.problem;
    throw error;
  } finally {
    silence.end();
  }
}

/** A signal that is aborted once nothing was received for a while. */
function openSilence({ silenceMs = 60_000, signal }: FetchOptions) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), silenceMs);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([controller.signal, signal]),
    restart: () => timer.refresh(),
    end: () => clearTimeout(timer),
    problem: new AddressProblem({
      reason: `cannot be fetched: no data arrived for ${silenceMs / 1000} seconds`,
      hint: 'Publish again later, or download the file and name the copy in the manifest.',
      isTransient: true,
    }),
  };
}

const REDIRECTS_MAX = 5;

/** Follows redirections and, in S3, the region of the bucket. */
async function request(
  address: string,
  { environment }: FetchOptions,
  signal: AbortSignal,
): Promise<{ readonly answer: Answer; readonly url: URL }> {
  let next = await toRequest(address, environment);
  let isRegionKnown = false;
  for (let redirects = 0; ; ) {
    const { url, headers, isSigned, region } = next;
    const answer = await openAnswer(url, { headers, signal }).catch((error: unknown) => {
      throw explainNetworkError(error, url);
    });
    if (answer.status >= 200 && answer.status < 300) return { answer, url };
    answer.cancel();
    const bucketRegion = answer.header('x-amz-bucket-region');
    const isElsewhere = bucketRegion !== undefined && bucketRegion !== region;
    if (region !== undefined && isElsewhere && !isRegionKnown) {
      isRegionKnown = true;
      next = await toRequest(address, environment, bucketRegion);
      continue;
    }
    const location = answer.header('location');
    if (answer.status < 300 || answer.status >= 400 || location === undefined) {
      throw explainStatus(answer, { isS3: isS3(address), isSigned });
    }
    redirects += 1;
    next = redirect(next, location, redirects);
  }
}

/** The request that a redirection leads to. The headers of a user are only for the server that they were written for. */
function redirect(
  { url, headers }: AddressRequest,
  location: string,
  count: number,
): AddressRequest {
  const target = URL.parse(location, url.href);
  const shown = shownAddress(target?.href ?? location);
  const refuse = (why: string) =>
    new AddressProblem({
      reason: `is redirected to ${shown}, ${why}`,
      hint: 'Use the URL of the file itself.',
    });
  if (target === null || !target.protocol.startsWith('http'))
    throw refuse('which is not supported');
  if (count > REDIRECTS_MAX) throw refuse(`after ${REDIRECTS_MAX} other redirects`);
  if (isUnencrypted(target) || (url.protocol === 'https:' && target.protocol !== 'https:')) {
    throw refuse('which is not encrypted');
  }
  const { authorization, ...others } = headers;
  return {
    url: target,
    headers: target.origin === url.origin ? headers : others,
    isSigned: false,
    region: undefined,
  };
}

type BodyOptions = FetchOptions & { readonly url: URL; readonly onBytes: () => void };

async function writeBody(answer: Answer, options: BodyOptions): Promise<string> {
  const { folder, bytesMax, url, onBytes, onFraction } = options;
  const { size } = answer;
  if (size !== undefined && size > bytesMax) {
    answer.cancel();
    throw tooLarge(bytesMax);
  }
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const file = await open(path, 'wx');
  let bytes = 0;
  let isChecked = false;
  try {
    for await (const chunk of bodyOf(answer, url)) {
      onBytes();
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      if (!isChecked) refusePage(chunk);
      isChecked = true;
      await file.write(chunk);
      if (size !== undefined) onFraction?.(bytes / size);
    }
    if (size !== undefined && bytes !== size) {
      throw new AddressProblem({
        reason: `was cut short: ${bytes} of ${size} bytes arrived`,
        hint: 'Publish again.',
        isTransient: true,
      });
    }
  } catch (error) {
    await file.close();
    await rm(path);
    throw error;
  }
  await file.close();
  return path;
}

async function* bodyOf({ body, cancel }: Answer, url: URL): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw new AddressProblem({
      reason: `was cut short: the connection to ${url.host} was closed after ${roundedSize(bytes)}`,
      hint: 'Publish again.',
      isTransient: true,
      cause: error,
    });
  } finally {
    cancel();
  }
}

/** Many servers answer with a page, to sign in or that nothing was found, as if it was the file. */
function refusePage(start: Buffer): void {
  const text = start.toString('latin1', 0, 1000);
  if (!/^(\u00ef\u00bb\u00bf)?\s*(<!--.*?-->\s*)*<(!doctype html|html)\b/is.test(text)) return;
  throw new AddressProblem({
    reason: 'is an HTML page, not data',
    hint: 'The URL leads to a web page, perhaps one to sign in or one that links to the file. Use the URL of the file itself.',
  });
}

function tooLarge(bytesMax: number): AddressProblem {
  return new AddressProblem({
    reason: `is larger than ${sizeText(bytesMax)}`,
    hint: 'Split the file, or raise the limit: --publish-unpacked SIZE.',
  });
}
