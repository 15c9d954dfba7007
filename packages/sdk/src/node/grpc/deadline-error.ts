import { LocmetricsError } from '../../errors.ts';

/** No answer arrived within `deadlineMs`. `cause` is the last error before the deadline. */
export class DeadlineError extends LocmetricsError {
  override name = 'DeadlineError';
  readonly deadlineMs: number;

  constructor(deadlineMs: number, cause: unknown) {
    super(
      `No answer arrived within ${deadlineMs} ms. Narrow the request, ask for smaller pages, or raise deadlineMs.`,
      { cause },
    );
    this.deadlineMs = deadlineMs;
  }
}
