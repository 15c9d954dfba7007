/** Why a file at an address was not fetched. The reason continues the sentence that begins with its name. */
export class AddressProblem extends Error {
  readonly reason: string;
  readonly hint: string;
  /** Whether another attempt may succeed. */
  readonly isTransient: boolean;

  constructor({
    reason,
    hint,
    isTransient = false,
    cause,
  }: {
    readonly reason: string;
    readonly hint: string;
    readonly isTransient?: boolean;
    readonly cause?: unknown;
  }) {
    super(reason, { cause });
    this.name = 'AddressProblem';
    this.reason = reason;
    this.hint = hint;
    this.isTransient = isTransient;
  }
}
