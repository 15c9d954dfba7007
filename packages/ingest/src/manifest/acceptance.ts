/**
 * The thresholds of a publish: how much it may leave out and change compared with the previous version. A
 * change without a threshold is only reported.
 */
export type Acceptance = {
  /** The rows of the files that may be rejected; default: none. */
  readonly rejectedRows: Amount;
  /** The points of the files that may lie outside the region. */
  readonly outsideRegion?: Amount | undefined;
  /** The records whose feature is not in the layer of a metric; absent: any number. */
  readonly unmatchedRecords?: Amount | undefined;
  /** The change of the number of records, relative to the previous number. */
  readonly rowCountChange?: Amount | undefined;
  /** The previous periods and features that may be missing. */
  readonly vanishedPeriods?: Amount | undefined;
  readonly vanishedFeatures?: Amount | undefined;
  /** How much a period may change, in percent of its previous value. */
  readonly periodJumpPercent?: number | undefined;
  readonly featureJumpPercent?: number | undefined;
  /** The features, of those in both versions, that may change by more. */
  readonly jumpedFeatures?: Amount | undefined;
  /** The notices that the owner knows and need not be shown again. */
  readonly notices?: readonly AcceptedNotice[] | undefined;
};

/** `notice` is the start of the accepted notices; a `*` in it stands for any text. */
export type AcceptedNotice = { readonly notice: string; readonly reason: string };

export type Amount = { readonly count: number } | { readonly percent: number };

export const ACCEPT_ANY_CHANGE: Acceptance = { rejectedRows: { count: 0 } };

/** The default threshold of a reported jump. */
export const USUAL_JUMP_PERCENT = 50;

/** Whether a count is at most the amount of a whole. */
export function isWithin(count: number, amount: Amount, whole: number): boolean {
  return 'count' in amount ? count <= amount.count : count * 100 <= whole * amount.percent;
}

/** The amount as written in a manifest. */
export function amountText(amount: Amount): string {
  return 'count' in amount ? amount.count.toLocaleString('en-US') : `${amount.percent}%`;
}
