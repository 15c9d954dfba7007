/**
 * An error of the database engine in one line, without the stack of its C++ code. The original error is
 * the cause.
 */
export class EngineError extends Error {
  /** The kind of error that the engine names, for example `Invalid Input`. */
  readonly kind: string;
  /** The first line of the engine's message, without the kind. */
  readonly reason: string;

  constructor(kind: string, reason: string, cause: Error) {
    super(`${kind} Error: ${reason}`, { cause });
    this.name = 'EngineError';
    this.kind = kind;
    this.reason = reason;
  }
}

/** Converts an error of the engine to an `EngineError`. Any other error is returned unchanged. */
export function toEngineError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EngineError) return error;
  // The driver puts the step before some: Failed to extract statements: Parser Error: …
  const [, kind, reason] =
    /^(?:Failed to [a-z ]+: )?([A-Za-z][A-Za-z -]*?) Error: (.*)/.exec(error.message) ?? [];
  if (kind === undefined || reason === undefined) return error;
  return new EngineError(kind, reason.trim(), error);
}

/** The message of an error in one line, without the engine's name for its kind. */
export function engineReason(error: Error): string {
  return error instanceof EngineError ? error.reason : (error.message.split('\n')[0] ?? '');
}

/** The exhausted resource of the machine, if that is the reason of an error. */
export function shortageOf(error: Error): 'disk' | 'memory' | undefined {
  const whole = error instanceof EngineError && error.cause instanceof Error ? error.cause : error;
  if (DISK_FULL.test(whole.message)) return 'disk';
  return /^Out of Memory Error/.test(whole.message) ? 'memory' : undefined;
}

const DISK_FULL =
  /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT|File too large|EFBIG|database or disk is full|not enough disk space|max_temp_directory_size/i;
