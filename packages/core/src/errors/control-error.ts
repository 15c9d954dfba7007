import { ExpectedError } from './expected-error.ts';
import { type ErrorReason, ServiceError } from './service-error.ts';

/**
 * The error for a management operation that is not possible, or for a control store that cannot be used.
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
      /** The reason for callers over the network; without one it is a fault of the service. */
      readonly reason?: ErrorReason;
      /** The invalid part of such a request. */
      readonly pointer?: string;
      /** The message and hint for callers, if those for the operator contain a path. */
      readonly forCallers?: { readonly message: string; readonly hint: string };
      readonly cause?: unknown;
    } = {},
  ) {
    super(message, hint, options);
    this.#reason = options.reason;
    this.#pointer = options.pointer;
    this.#forCallers = options.forCallers;
  }

  /** The error for callers over the network. */
  toServiceError(): ServiceError {
    if (this.#reason === undefined) return ServiceError.from(this);
    const { message, hint } = this.#forCallers ?? this;
    const pointer = this.#pointer;
    const details = pointer === undefined ? [] : [{ pointer, detail: message }];
    return new ServiceError(this.#reason, message, { hint, details, cause: this.cause });
  }
}
