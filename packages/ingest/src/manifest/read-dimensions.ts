import type { Dimension } from '@locmetrics/core/domain/metric';
import { expectField, type FieldScope } from './expect-field.ts';
import type { Report } from './manifest-report.ts';
import type { MetricDocument } from './metric-schema.ts';
import { readPresentText } from './read-value-text.ts';

/** The dimensions of a metric, in the order they are published. */
export function readDimensions(
  declared: MetricDocument,
  scope: FieldScope,
  report: Report,
): readonly Dimension[] {
  return Object.entries(declared.dimensions ?? {}).map(([dimensionId, part]) => {
    const reportDimension = report.at('dimensions', dimensionId);
    const { value, display_name: displayName } = part;
    const type = expectField(scope, value, { types: [], report: reportDimension.at('value') });
    if (displayName !== undefined) {
      expectField(scope, displayName, {
        types: ['string'],
        report: reportDimension.at('display_name'),
      });
    }
    const defaultValue =
      part.default === undefined || type === undefined
        ? undefined
        : readPresentText({
            what: 'default',
            type,
            value: part.default,
            report: reportDimension.at('default'),
          });
    return {
      dimensionId,
      displayName: part.title ?? dimensionId,
      description: part.description ?? '',
      fields: { value, ...(displayName === undefined ? {} : { displayName }) },
      defaultValue: defaultValue ?? '',
      completeness: part.completeness ?? 'strict',
    };
  });
}
