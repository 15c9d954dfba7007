import { ConnectionError, ServiceError, UnexpectedAnswerError } from './errors.ts';

const FIRST_DELAY_MS = 250;
const DELAY_MAX_MS = 8_000;
/** A longer wait, such as that for the rows of the next day, is left to the caller. */
const RETRY_AFTER_MAX_MS = 30_000;

/** Repeats a request that only reads, if that can help. */
export async function retrying<Answer>(
  attemptOnce: () => Promise<Answer>,
  { retries, signal }: { readonly retries: number; readonly signal: AbortSignal | undefined },
): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await attemptOnce();
    } catch (error) {
      signal?.throwIfAborted();
      const delayMs = attempt < retries ? retryDelayMs(error, attempt) : undefined;
      if (delayMs === undefined) throw error;
      await pause(delayMs, signal);
    }
  }
}

/**
 * How long to wait before the request is sent again. Undefined: a retry cannot help. The delays are spread at random,
 * so that clients that failed together do not come back together.
 */
export function retryDelayMs(error: unknown, attempt: number): number | undefined {
  const backoff = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** attempt);
  if (error instanceof ConnectionError) return spread(backoff);
  if (error instanceof UnexpectedAnswerError && error.status === 503) return spread(backoff);
  if (!(error instanceof ServiceError)) return undefined;
  const { code, retryAfterMs } = error;
  if (code !== 'UNAVAILABLE' && code !== 'RESOURCE_EXHAUSTED') return undefined;
  // The service says how long to wait where waiting for a limit helps.
  if (retryAfterMs === undefined) return code === 'UNAVAILABLE' ? spread(backoff) : undefined;
  // Never earlier than the service asks.
  return retryAfterMs > RETRY_AFTER_MAX_MS ? undefined : retryAfterMs + spread(backoff) / 4;
}

/** Waits. Rejects with the reason of the signal as soon as it is aborted. */
export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, delayMs);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
  });
}

function spread(delayMs: number): number {
  return delayMs * (0.5 + Math.random() / 2);
}
