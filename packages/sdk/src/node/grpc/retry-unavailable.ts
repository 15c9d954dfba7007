import { Code, ConnectError } from '@connectrpc/connect';
import { ConnectionError, LocmetricsError, ServiceError } from '../../errors.ts';
import { pause, retryDelayMs } from '../../retry.ts';
import { DeadlineError } from './deadline-error.ts';
import { isConnectionLost, toClientError } from './to-client-error.ts';

/** Sends a request until it is answered, refused, or out of time. Each attempt gets the time that is left. */
export async function retryUnavailable<Answer>(
  send: (timeoutMs: number | undefined) => Promise<Answer>,
  options: {
    readonly baseUrl: string;
    readonly retries: number;
    readonly signal: AbortSignal | undefined;
    readonly deadlineMs: number | undefined;
  },
): Promise<Answer> {
  const { baseUrl, retries, signal, deadlineMs } = options;
  signal?.throwIfAborted();
  if (deadlineMs !== undefined && !(deadlineMs > 0)) {
    throw new LocmetricsError(
      `deadlineMs is ${deadlineMs}. Give a number of milliseconds above 0.`,
    );
  }
  const startMs = performance.now();
  const leftMs = () =>
    deadlineMs === undefined ? undefined : deadlineMs - (performance.now() - startMs);
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(timeoutOf(leftMs()));
    } catch (thrown) {
      signal?.throwIfAborted();
      const failure = ConnectError.from(thrown);
      const error = toClientError(failure, baseUrl);
      // The service has the deadline too, and may refuse the request a little earlier.
      if (deadlineMs !== undefined && failure.code === Code.DeadlineExceeded) {
        throw new DeadlineError(deadlineMs, error);
      }
      const delayMs = attempt < retries ? delayOf(failure, error, attempt) : undefined;
      if (delayMs === undefined) throw error;
      if (deadlineMs !== undefined && delayMs >= (leftMs() ?? 0)) {
        throw new DeadlineError(deadlineMs, error);
      }
      await pause(delayMs, signal);
    }
  }
}

/** The timeout as gRPC writes it: whole, with at most eight digits. */
const TIMEOUT_MAX_MS = 99_999_999;

function timeoutOf(leftMs: number | undefined): number | undefined {
  return leftMs === undefined ? undefined : Math.min(Math.ceil(leftMs), TIMEOUT_MAX_MS);
}

/** Undefined: a retry cannot help, such as after a certificate that is not trusted. */
function delayOf(
  failure: ConnectError,
  error: LocmetricsError,
  attempt: number,
): number | undefined {
  const canHelp =
    error instanceof ConnectionError
      ? isConnectionLost(failure)
      : error instanceof ServiceError && error.code === 'UNAVAILABLE';
  return canHelp ? retryDelayMs(error, attempt) : undefined;
}
