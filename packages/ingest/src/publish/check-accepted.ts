import type {
  GroupChanges,
  PublishReport,
} from '@locmetrics/data-directory/versions/publish-report';
import { type Acceptance, type Amount, amountText, isWithin } from '../manifest/acceptance.ts';
import { escapeControls } from '../problems/import-error.ts';
import { jumpText, percentText } from '../problems/jump-text.ts';
import { PublishError } from '../problems/publish-error.ts';

/** Refuses a publish that changes more than the manifest accepts, and lists all exceeded thresholds. */
export function checkAccepted(report: PublishReport, acceptance: Acceptance): void {
  if (report.before === null) return;
  const problems = [
    ...checkRowCount(report, acceptance.rowCountChange),
    ...checkCompared(report, acceptance),
    ...checkVanished(report.periods, 'period', acceptance.vanishedPeriods),
    ...checkVanished(report.features, 'feature', acceptance.vanishedFeatures),
    ...checkJumped(report.periods, {
      what: 'period',
      amount: acceptance.periodJumpPercent === undefined ? undefined : { count: 0 },
    }),
    ...checkJumped(report.features, { what: 'feature', amount: acceptance.jumpedFeatures }),
  ];
  if (problems.length === 0) return;
  throw new PublishError(
    [`${report.dataset} changes more than its manifest accepts:`, ...problems].join('\n'),
    'Nothing was published. Fix the data, accept more in the manifest, or publish once with --accept-changes.',
  );
}

function checkRowCount(
  { rowCountBefore, rows }: PublishReport,
  amount: Amount | undefined,
): readonly string[] {
  if (rowCountBefore === null || amount === undefined) return [];
  if (isWithin(Math.abs(rows.total - rowCountBefore), amount, rowCountBefore)) return [];
  return [
    `${grouped(rows.total)} ${rows.total === 1 ? 'record' : 'records'} instead of ${grouped(rowCountBefore)}${percentText(rowCountBefore, rows.total)}; accepted: ${amountText(amount)} more or less (accept.row_count_change).`,
  ];
}

/** A threshold that cannot be checked refuses the publish, because it exists for unnoticed errors. */
function checkCompared({ notCompared }: PublishReport, acceptance: Acceptance): readonly string[] {
  const keys: Readonly<Record<'periods' | 'features', readonly string[]>> = {
    periods: [
      ...(acceptance.vanishedPeriods === undefined ? [] : ['vanished_periods']),
      ...(acceptance.periodJumpPercent === undefined ? [] : ['period_jump']),
    ],
    features: [
      ...(acceptance.vanishedFeatures === undefined ? [] : ['vanished_features']),
      ...(acceptance.jumpedFeatures === undefined ? [] : ['jumped_features']),
    ],
  };
  return notCompared
    .filter(({ what }) => keys[what].length > 0)
    .map(
      ({ what, reason }) =>
        `The ${what} cannot be compared. ${reason} (${keys[what].map((key) => `accept.${key}`).join(', ')})`,
    );
}

function checkVanished(
  changes: GroupChanges | null,
  what: 'period' | 'feature',
  amount: Amount | undefined,
): readonly string[] {
  if (changes === null || amount === undefined) return [];
  const { count, appeared, vanished } = changes;
  const before = count - appeared.count + vanished.count;
  if (isWithin(vanished.count, amount, before)) return [];
  return [
    `${counted(vanished.count, what)} of ${grouped(before)} missing: ${examplesText(vanished.examples.map(escapeControls), vanished.count, ', ')}; accepted: ${amountText(amount)} (accept.vanished_${what}s).`,
  ];
}

function checkJumped(
  changes: GroupChanges | null,
  { what, amount }: { readonly what: 'period' | 'feature'; readonly amount: Amount | undefined },
): readonly string[] {
  if (changes === null || amount === undefined) return [];
  const { count, appeared, jumped, jumpPercent } = changes;
  if (isWithin(jumped.count, amount, count - appeared.count)) return [];
  const key = what === 'period' ? 'accept.period_jump' : 'accept.jumped_features';
  const accepted = what === 'period' ? '' : `; accepted: ${amountText(amount)}`;
  return [
    `${counted(jumped.count, what)} changed by more than ${jumpPercent}%${accepted} (${key}):\n  ${examplesText(jumped.examples.map(jumpText), jumped.count, '\n  ')}`,
  ];
}

function examplesText(examples: readonly string[], count: number, separator: string): string {
  const hidden = count - examples.length;
  return [...examples, ...(hidden > 0 ? [`… and ${grouped(hidden)} more`] : [])].join(separator);
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${grouped(count)} ${what}s`;
}

function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
