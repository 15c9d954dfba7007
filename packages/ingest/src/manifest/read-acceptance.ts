import { findFeatureField } from '@locmetrics/core/domain/feature-field';
import type { AcceptDocument } from './accept-schema.ts';
import { ACCEPT_ANY_CHANGE, type Acceptance, type Amount } from './acceptance.ts';
import type { DatasetSource, Declared } from './manifest.ts';
import type { Report } from './manifest-report.ts';

/** Parses the thresholds for a publish of a dataset. */
export function readAccept(
  accept: AcceptDocument | undefined,
  declared: Declared & { readonly source: Pick<DatasetSource, 'region'> },
  report: Report,
): Acceptance {
  if (accept === undefined) return ACCEPT_ANY_CHANGE;
  const reportAccept = report.at('datasets', declared.dataset.name, 'accept');
  reportMissing(accept, declared, reportAccept);
  const amountOf = (key: Exclude<keyof AcceptDocument, 'notices'>): Amount | undefined =>
    accept[key] === undefined ? undefined : readAmount(accept[key], reportAccept.at(key));
  const percentOf = (key: 'period_jump' | 'feature_jump'): number | undefined =>
    accept[key] === undefined ? undefined : readPercent(accept[key], reportAccept.at(key));
  const featureJumpPercent = percentOf('feature_jump');
  return {
    rejectedRows: amountOf('rejected_rows') ?? ACCEPT_ANY_CHANGE.rejectedRows,
    outsideRegion: amountOf('outside_region'),
    unmatchedRecords: amountOf('unmatched_records'),
    rowCountChange: amountOf('row_count_change'),
    vanishedPeriods: amountOf('vanished_periods'),
    vanishedFeatures: amountOf('vanished_features'),
    periodJumpPercent: percentOf('period_jump'),
    featureJumpPercent,
    jumpedFeatures:
      amountOf('jumped_features') ?? (featureJumpPercent === undefined ? undefined : { count: 0 }),
    notices: accept.notices,
  };
}

/** Reports thresholds on parts that the dataset does not have, because they would never refuse anything. */
function reportMissing(
  accept: AcceptDocument,
  declared: Parameters<typeof readAccept>[1],
  report: Report,
): void {
  if (accept.outside_region !== undefined && declared.source.region === undefined) {
    report.at('outside_region')(
      'The point of the dataset has no region.',
      'Declare it, such as point: { …, region: us_states }, or leave this out.',
    );
  }
  if (declared.dataset.period === undefined) {
    for (const key of ['vanished_periods', 'period_jump'] as const) {
      if (accept[key] === undefined) continue;
      report.at(key)('The dataset has no period.', 'Declare its period, or leave this out.');
    }
  }
  if (accept.unmatched_records !== undefined && declared.metrics.length === 0) {
    report.at('unmatched_records')(
      'No metric is over the dataset, so its records have no features.',
      'Declare the metric, or leave this out.',
    );
  }
  if (findFeatureField(declared) === undefined) {
    for (const key of ['vanished_features', 'feature_jump', 'jumped_features'] as const) {
      if (accept[key] === undefined) continue;
      report.at(key)(
        'No field of the dataset says which feature a record is about.',
        'Put one into its key, or leave this out.',
      );
    }
  }
}

function readAmount(given: string | number, report: Report): Amount | undefined {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) {
    return { count: given };
  }
  const percent = typeof given === 'string' ? parsePercent(given) : undefined;
  if (percent !== undefined) return { percent };
  report(
    `${JSON.stringify(given)} is neither a count nor a share.`,
    'Write a whole number such as 10, or a percentage such as 1%.',
  );
  return undefined;
}

function readPercent(given: string | number, report: Report): number | undefined {
  const percent = typeof given === 'string' ? parsePercent(given) : undefined;
  if (percent !== undefined) return percent;
  report(`${JSON.stringify(given)} is not a percentage.`, 'Write one such as 50%.');
  return undefined;
}

function parsePercent(text: string): number | undefined {
  const [, digits] = /^([0-9]{1,9}(?:\.[0-9]{1,9})?) ?%$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
