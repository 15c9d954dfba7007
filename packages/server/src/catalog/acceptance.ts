/**
 * What a publish of a dataset may leave out and change against the version before. What is absent may
 * change as it likes: it is only reported.
 */
export type Acceptance = {
  /** Of the rows of the files; none by default. */
  readonly rejectedRows: Amount;
  /** Records more or less than before, of those before. */
  readonly rowCountChange?: Amount;
  /** Of the periods and features before. */
  readonly vanishedPeriods?: Amount;
  readonly vanishedFeatures?: Amount;
  /** How much a period may change, in percent of what it was before. */
  readonly periodJumpPercent?: number;
  readonly featureJumpPercent?: number;
  /** Features that may change by more, of those before and after. */
  readonly jumpedFeatures?: Amount;
};

export type Amount = { readonly count: number } | { readonly percent: number };

export const ACCEPT_ANY_CHANGE: Acceptance = { rejectedRows: { count: 0 } };

/** What is reported as a jump where the manifest does not say. */
export const USUAL_JUMP_PERCENT = 50;

/** Whether a count is no more than the amount of a whole. */
export function isWithin(count: number, amount: Amount, whole: number): boolean {
  return 'count' in amount ? count <= amount.count : count * 100 <= whole * amount.percent;
}

/** As it is written in a manifest. */
export function amountText(amount: Amount): string {
  return 'count' in amount ? amount.count.toLocaleString('en-US') : `${amount.percent}%`;
}
