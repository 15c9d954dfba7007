import {
  ConnectionError,
  LocmetricsError,
  PageTokenExpiredError,
  ServiceError,
  UnexpectedAnswerError,
} from './errors.ts';
import type { Problem } from './generated/schemas.ts';
import { pause, retryDelayMs } from './retry.ts';

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
    readonly onlyReads: (method: string) => boolean;
  },
): Send<Operations> {
  const base = checkUrl(options.url);
  checkToken(options.token);
  return async (id, parts, { signal } = {}) => {
    const [method, path] = options.table[id];
    const retries = options.onlyReads(method) ? options.retries : 0;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await sendOnce({ method, path }, parts, { ...options, base, signal });
      } catch (error) {
        signal?.throwIfAborted();
        const delayMs = attempt < retries ? retryDelayMs(error, attempt) : undefined;
        if (delayMs === undefined) throw error;
        await pause(delayMs, signal);
      }
    }
  };
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
  { method, path: template }: { readonly method: string; readonly path: string },
  { path, query, body }: Parts<AnyOperation>,
  connection: {
    readonly base: string;
    readonly token: string;
    readonly fetch: typeof fetch;
    readonly signal: AbortSignal | undefined;
  },
): Promise<Answer> {
  const { base, token, signal } = connection;
  const address = `${base}${fillPath(template, path)}${writeQuery(query)}`;
  const headers: Record<string, string> = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  // In browsers `fetch` must not be called as a method of another object.
  const { fetch: request } = connection;
  let response: Response;
  let text: string;
  try {
    response = await request(address, init);
    text = await response.text();
  } catch (cause) {
    const what = `${method} ${base}${template} got no answer: ${messageOf(cause)}.`;
    throw new ConnectionError(`${what}${originHint(base)}`, { cause });
  }
  return readAnswer(response, text);
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

function readAnswer<Answer>(response: Response, text: string): Answer {
  const { status, headers } = response;
  const answer = parse(text);
  // The contract describes the answer of each operation.
  if (response.ok && answer !== undefined) return answer as Answer;
  if (isProblem(answer)) {
    const ofReason = answer.reason === 'PAGE_TOKEN_EXPIRED' ? PageTokenExpiredError : ServiceError;
    throw new ofReason(answer, retryAfterMs(headers));
  }
  throw new UnexpectedAnswerError(
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

function messageOf(cause: unknown): string {
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
