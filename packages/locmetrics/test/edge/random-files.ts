import type { Field } from '@locmetrics/core/domain/field';
import type { Value } from '@locmetrics/core/domain/value';
import type { Table } from '../conformance/table.ts';

/** The places of the metric of a random table: its values of `kind`. */
const KINDS = ['a', 'A', 'a ', '\ufeffA'];

/** A random table as files of a data owner, with a metric over it. */
export function filesOfTable({
  version: { dataset },
  rows,
}: Table): Readonly<Record<string, string>> {
  const names = dataset.fields.map(({ name }) => name);
  const lines = rows.map((row) => names.map((name) => csvText(row[name] ?? null)).join(','));
  const { key, point, period } = dataset;
  const manifest = {
    format: 1,
    datasets: {
      [dataset.name]: {
        files: 'random.csv',
        key,
        point,
        period,
        fields: Object.fromEntries(dataset.fields.map((field) => [field.name, declared(field)])),
      },
      'conformance.kinds': { files: 'kinds.csv', key: ['id'], fields: { id: { type: 'string' } } },
    },
    layers: { kinds: { dataset: 'conformance.kinds', feature_id: 'id', name: 'id' } },
    metrics: {
      'conformance/counts': {
        dataset: dataset.name,
        layer: 'kinds',
        feature_id: 'kind',
        cadence: 'monthly',
        period: period === undefined ? { start: '2024-01-01', end: '2024-01-31' } : undefined,
        measure: { name: 'count', field: 'count', kind: 'count' },
        supporting_values: [{ name: 'score', field: 'score', kind: 'number' }],
        dimensions: { open: { value: 'open' } },
      },
    },
  };
  return {
    'locmetrics.yaml': JSON.stringify(manifest),
    'random.csv': [names.join(','), ...lines, ''].join('\n'),
    'kinds.csv': ['id', ...KINDS.map(csvText), ''].join('\n'),
  };
}

function declared({
  type,
  additive,
  sorted,
  includedByDefault,
  suppressBelow,
  marksWithheld,
}: Field) {
  return {
    type,
    additive,
    sorted,
    included_by_default: includedByDefault,
    suppress:
      suppressBelow === undefined ? undefined : { below: suppressBelow, mark: marksWithheld },
  };
}

function csvText(value: Value): string {
  if (Object.is(value, -0)) return '-0';
  return `"${String(value ?? '').replaceAll('"', '""')}"`;
}
