import { ExpectedError } from '../domain/expected-error.ts';
import { type ErrorReason, ServiceError } from '../domain/service-error.ts';

/**
 * A management operation that cannot be done as the operator asked, or a control store that cannot
 * be used.
 */
export class ControlError extends ExpectedError {
  override readonly name = 'ControlError';
  readonly #reason: ErrorReason | undefined;
  readonly #pointer: string | undefined;
  readonly #forCallers: { readonly message: string; readonly hint: string } | undefined;

  constructor(
    message: string,
    hint: string,
    options: {
      /** What it is to who asked over the network; without one it is a failure of the service. */
      readonly reason?: ErrorReason;
      /** Where the mistake is in such a request. */
      readonly pointer?: string;
      /** Other words for them, where those for the operator name a path. */
      readonly forCallers?: { readonly message: string; readonly hint: string };
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, hint, options);
    this.#reason = options.reason;
    this.#pointer = options.pointer;
    this.#forCallers = options.forCallers;
  }

  /** The same, for who asked over the network. */
  toServiceError(): ServiceError {
    if (this.#reason === undefined) return ServiceError.from(this);
    const { message, hint } = this.#forCallers ?? this;
    const pointer = this.#pointer;
    const details = pointer === undefined ? [] : [{ pointer, detail: message }];
    return new ServiceError(this.#reason, message, { hint, details, cause: this.cause });
  }
}

/** An SQLite file of ours that cannot be used; `problem` goes on from its path: `is damaged`. */
export function unusableFile(
  path: string,
  {
    problem,
    hint,
    cause,
  }: { readonly problem: string; readonly hint: string; readonly cause?: unknown },
): ControlError {
  return new ControlError(`${path} ${problem}.`, hint, {
    reason: 'CONTROL_STORE_UNUSABLE',
    // Callers are told no path.
    forCallers: {
      message: `The control store cannot be used: its file ${problem}.`,
      hint: 'Try again after a second. If the error persists, report it to the operator of the service.',
    },
    cause,
  });
}
