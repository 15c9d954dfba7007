import type { Layer } from '@locmetrics/core/domain/layer';
import type { Metric } from '@locmetrics/core/domain/metric';
import type { Declared } from './manifest.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { OUTLINE_VALUE } from './point-source.ts';

/** Reports a field of outlines that is also used in another way: outlines are returned, and never compared. */
export function checkOutline(
  { dataset, layers, metrics }: Declared,
  written: DatasetDocument,
  report: Report,
): void {
  const field = dataset.fields.find(({ outline }) => outline === true);
  const reportDataset = report.at('datasets', dataset.name);
  for (const [name, { from }] of Object.entries(written.fields)) {
    if (from === undefined || !isOutline(from) || name === field?.name) continue;
    reportDataset.at(
      'fields',
      name,
      'from',
    )(`The value of the field '${name}' is an outline.`, `Declare it: outline: ${name}.`);
  }
  if (field === undefined) return;
  const role = [
    ...dataset.key.map((name) => [name, 'part of the key']),
    ...layers.flatMap(layerRoles),
    ...metrics.flatMap(metricRoles),
  ].find(([name]) => name === field.name);
  if (role !== undefined) {
    reportDataset.at('outline')(
      `The field '${field.name}' is also ${role[1]}.`,
      'Use a field of its own for the outlines.',
    );
  }
  const declared = written.fields[field.name];
  if (declared?.from !== undefined && !isOutline(declared.from)) {
    reportDataset.at(
      'fields',
      field.name,
      'from',
    )(`The field '${field.name}' holds outlines.`, 'Write from: { area: …, value: outline }.');
  }
  for (const key of ['sorted', 'searchable', 'pad', 'example_value'] as const) {
    if (declared?.[key] === undefined || declared[key] === false) continue;
    reportDataset.at(
      'fields',
      field.name,
      key,
    )(`The field '${field.name}' holds outlines, which are not compared.`, 'Leave this out.');
  }
}

function isOutline(from: NonNullable<DatasetDocument['fields'][string]['from']>): boolean {
  return typeof from === 'object' && from.value === OUTLINE_VALUE;
}

type Role = readonly [name: string, role: string];

function layerRoles({ id, name, addressComponents }: Layer): readonly Role[] {
  return [
    [name, `the name of features of the layer '${id}'`],
    ...addressComponents.flatMap(({ component, fields }) =>
      Object.values(fields).map((field): Role => [field, `in the component '${component}'`]),
    ),
  ];
}

function metricRoles({
  metricId,
  featureId,
  related,
  measures,
  dimensions,
}: Metric): readonly Role[] {
  return [
    [featureId, `the feature id of the metric '${metricId}'`],
    ...(related === undefined
      ? []
      : [[related.featureId, `the related feature id of the metric '${metricId}'`] as const]),
    ...measures.map(({ field, name }): Role => [field, `the measure '${name}'`]),
    ...dimensions.flatMap(({ dimensionId, fields }) =>
      Object.values(fields).map((field): Role => [field, `in the dimension '${dimensionId}'`]),
    ),
  ];
}
