import type { MapFeature, Measure, Metric, MetricValue } from '@locmetrics/client';
import { toDay } from '../../format/periods.ts';
import type { Row } from '../saving/save-formats.ts';

/** About the row that a metric value has in a whole result: enough to estimate its size. */
export function valueRow(
  {
    value,
    mapFeatureV2,
    relatedMapFeature,
    observationPeriod: { start, end },
    dimensionsList,
    supportingValuesList,
    flagsList,
  }: MetricValue,
  { spec }: Metric,
): Row {
  return Object.fromEntries([
    ...featureColumns(mapFeatureV2, ''),
    ...(relatedMapFeature === undefined ? [] : featureColumns(relatedMapFeature, 'related_')),
    ['period_start', toDay(start)],
    ['period_end', toDay(end)],
    ...dimensionsList.map(({ dimensionId, value: text }) => [dimensionId, text]),
    ...[value, ...supportingValuesList].map((measure) => [
      measure.name,
      readMeasure(measure, spec),
    ]),
    ...flagsList.map((flag) => [flag, true]),
  ]);
}

function featureColumns(
  { featureId, name, point, addressComponentsList }: MapFeature,
  prefix: string,
): readonly (readonly [string, string | number])[] {
  return [
    [`${prefix}feature_id`, featureId],
    [`${prefix}feature_name`, name],
    // Its digits: how many characters it has is all that counts.
    ...(point === ''
      ? []
      : [[`${prefix}latitude`, 44.3101] as const, [`${prefix}longitude`, -68.2042] as const]),
    ...addressComponentsList.flatMap(({ component, value, shortName, displayName }) =>
      [
        [`${prefix}${component}`, value] as const,
        [`${prefix}${component}_short_name`, shortName] as const,
        [`${prefix}${component}_name`, displayName] as const,
      ].filter(([, text]) => text !== ''),
    ),
  ];
}

function readMeasure(
  { name, number, count, category }: Measure,
  { valuesList }: Metric['spec'],
): string | number | null {
  const kind = valuesList.find((one) => one.name === name)?.valueKind;
  if (kind === 'CATEGORY') return category;
  return kind === 'COUNT' ? count : number;
}
