import { ExpectedError } from '../domain/expected-error.ts';

/**
 * A management operation that cannot be done as the operator asked, or a control store that cannot
 * be used.
 */
export class ControlError extends ExpectedError {
  override readonly name = 'ControlError';
}
