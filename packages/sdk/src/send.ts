import {
  ConnectionError,
  LocmetricsError,
  PageTokenExpiredError,
  ServiceError,
  UnexpectedAnswerError,
} from './errors.ts';
import type { Problem } from './generated/schemas.ts';
import { retrying } from './retry.ts';

/** The parts of the requests and the answers of operations, by their ids. */
export type OperationsShape<Id extends PropertyKey> = { readonly [Each in Id]: AnyOperation };

export type AnyOperation = {
  readonly path: object;
  readonly query: object;
  readonly body: unknown;
  readonly answer: unknown;
};

/** The method and the path of each operation. */
export type OperationTable<Id extends PropertyKey> = {
  readonly [Each in Id]: readonly [method: string, path: string];
};

export type CallOptions = {
  /** Cancels the request, even while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
};

/** The parts of the request of an operation. You can omit parts without members. */
export type Parts<Operation extends AnyOperation> = {
  readonly path?: Operation['path'] | undefined;
  readonly query?: Operation['query'] | undefined;
  readonly body?: Operation['body'] | undefined;
};

export type Send<Operations extends OperationsShape<keyof Operations>> = <
  Id extends keyof Operations,
>(
  id: Id,
  parts: Parts<Operations[Id]>,
  options: CallOptions | undefined,
) => Promise<Operations[Id]['answer']>;

export type SendOptions = {
  readonly url: string;
  readonly token: string;
  readonly fetch: typeof fetch;
  readonly retries: number;
};

/** Sends requests. An operation that can change something is sent once, whatever `retries` says. */
export function createSend<Operations extends OperationsShape<keyof Operations>>(
  options: SendOptions & {
    readonly table: OperationTable<keyof Operations>;
    readonly onlyReads: (method: string, id: keyof Operations) => boolean;
  },
): Send<Operations> {
  const connection = toConnection(options);
  return async (id, parts, { signal } = {}) => {
    const [method] = options.table[id];
    const retries = options.onlyReads(method, id) ? options.retries : 0;
    const request = writeRequest(options.table[id], parts, 'application/json');
    return retrying(() => sendOnce(request, { ...connection, signal }), { retries, signal });
  };
}

export type Connection = Pick<SendOptions, 'token' | 'fetch'> & { readonly base: string };

/** Refused: an address or a token that cannot be one. */
export function toConnection({ url, token, fetch }: SendOptions): Connection {
  const base = checkUrl(url);
  checkToken(token);
  return { base, token, fetch };
}

/** The address without a slash at its end. */
export function checkUrl(url: string): string {
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url.replace(/\/+$/, '');
  throw new LocmetricsError(
    `The url of the client is '${url}'. Give the full URL of the service, such as https://data.example.org.`,
  );
}

/** The message does not show the token. */
export function checkToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return;
  throw new LocmetricsError(
    token === ''
      ? 'The token of the client is empty.'
      : 'The token of the client has a space, a line break or another character that tokens never contain.',
  );
}

async function sendOnce<Answer>(
  request: WrittenRequest,
  connection: Connection & CallOptions,
): Promise<Answer> {
  const response = await fetchResponse(request, connection);
  const text = await readText(response, request, connection);
  const answer = parse(text);
  // The contract describes the answer of each operation.
  if (response.ok && answer !== undefined) return answer as Answer;
  throw refusalOf(response, text);
}

export type WrittenRequest = {
  readonly method: string;
  /** With its ids. */
  readonly path: string;
  /** With its question mark; empty without parameters. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
};

/** Refused: a request without an id of the path. */
export function writeRequest(
  [method, template]: readonly [method: string, path: string],
  { path, query, body }: Parts<AnyOperation>,
  accept: string,
): WrittenRequest {
  const hasBody = body !== undefined;
  return {
    method,
    path: fillPath(template, path),
    query: writeQuery(query),
    headers: { accept, ...(hasBody ? { 'content-type': 'application/json' } : {}) },
    body: hasBody ? JSON.stringify(body) : undefined,
  };
}

/** Sends a request once. Resolves with the head of the answer, whatever its status is. */
export async function fetchResponse(
  request: WrittenRequest,
  { base, token, fetch, signal }: Connection & CallOptions,
): Promise<Response> {
  const { method, path, query, headers, body } = request;
  const init: RequestInit = { method, headers: { authorization: `Bearer ${token}`, ...headers } };
  if (body !== undefined) init.body = body;
  if (signal !== undefined) init.signal = signal;
  try {
    // In browsers `fetch` must not be called as a method of another object.
    return await fetch(`${base}${path}${query}`, init);
  } catch (cause) {
    throw noAnswer(request, { base, cause });
  }
}

/** The whole body of an answer. */
export async function readText(
  response: Response,
  request: WrittenRequest,
  { base }: Connection,
): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw noAnswer(request, { base, cause });
  }
}

function noAnswer(
  { method, path }: WrittenRequest,
  { base, cause }: { readonly base: string; readonly cause: unknown },
): ConnectionError {
  const what = `${method} ${base}${path} got no answer: ${messageOf(cause)}.`;
  return new ConnectionError(`${what}${originHint(base)}`, { cause });
}

/** Fills `{names}` of a path. A missing name would lead to another resource, so it is refused. */
function fillPath(template: string, path: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(path));
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (typeof value === 'string' && value !== '') return encodeURIComponent(value);
    throw new LocmetricsError(`The request has no ${name}. Give a non-empty string.`);
  });
}

/** The query of an address, with its question mark; empty without parameters. */
export function writeQuery(query: object = {}): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) written.append(name, String(one));
  }
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}

/** The error of an answer that is not the expected one: a problem of the service, or something else. */
export function refusalOf({ status, headers }: Response, text: string): Error {
  const answer = parse(text);
  if (isProblem(answer)) {
    const ofReason = answer.reason === 'PAGE_TOKEN_EXPIRED' ? PageTokenExpiredError : ServiceError;
    return new ofReason(answer, retryAfterMs(headers));
  }
  return new UnexpectedAnswerError(
    `The answer with status ${status} is not from Locmetrics. Check the url of the client, and any proxy in between.`,
    status,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(answer: unknown): answer is Problem {
  return typeof answer === 'object' && answer !== null && 'reason' in answer && 'detail' in answer;
}

function retryAfterMs(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

export function messageOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // The error of `fetch` in Node says only that it failed; its cause says why.
  return cause.cause instanceof Error && cause.cause.message !== ''
    ? cause.cause.message
    : cause.message;
}

/** A browser does not tell scripts that a service refuses the origin of their page. */
function originHint(base: string): string {
  // Only browsers have a location.
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  if (location === undefined || location.origin === new URL(base).origin) return '';
  return ` If the service is reachable, it does not allow pages of ${location.origin}: see its setting --cors-origins.`;
}
