import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field, FieldType } from '@locmetrics/core/domain/field';
import type { Licence } from '@locmetrics/core/domain/licence';
import { SEARCH_RULE } from '@locmetrics/core/domain/search-text';
import { defaultSourceColumn } from '@locmetrics/core/domain/source-column';
import { expectExistence, expectField, expectPoint, type FieldScope } from './expect-field.ts';
import type { DatasetSource } from './manifest.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument, ManifestDocument } from './manifest-schema.ts';
import type { Boundaries } from './point-source.ts';
import { pointSourceColumn } from './read-point-source.ts';
import { pointFields } from './read-region.ts';
import { readSource } from './read-source.ts';
import { readPresentText, readValueText } from './read-value-text.ts';

/** A dataset by itself, without layers and metrics, and its source files. */
export function readDataset({
  name,
  declared,
  document,
  areas,
  folder,
  report,
}: {
  readonly name: string;
  readonly declared: DatasetDocument;
  readonly document: ManifestDocument;
  /** The boundaries that fields can be computed with. */
  readonly areas: ReadonlyMap<string, Boundaries>;
  /** The folder that the files are relative to. */
  readonly folder: string;
  readonly report: Report;
}): { readonly dataset: Dataset; readonly source: DatasetSource } {
  const reportOwn = report.at('datasets', name);
  checkRoles(declared, reportOwn);
  const productId = name.slice(0, name.indexOf('.'));
  const product = document.products?.[productId];
  const source = readSource(declared, { areas, folder, report: reportOwn });
  const totals = new Map([...totalLabels(source), ...readTotals(declared, reportOwn)]);
  const fields = toFields(declared, reportOwn).map((field) => {
    const totalLabel = totals.get(field.name);
    return totalLabel === undefined ? field : { ...field, totalLabel };
  });
  const layers = Object.values(document.layers ?? {}).filter(({ dataset }) => dataset === name);
  const located = declared.point ?? layers.find(({ point }) => point !== undefined)?.point;
  const dataset: Dataset = {
    name,
    productDisplayName: product?.display_name ?? productId,
    productDescription: product?.description ?? '',
    displayName: declared.display_name ?? name,
    description: declared.description ?? '',
    fields,
    key: declared.key,
    ...(declared.point === undefined ? {} : { point: pointFields(declared.point) }),
    ...(located === undefined ? {} : { vectors: pointFields(located) }),
    ...(declared.period === undefined ? {} : { period: declared.period }),
    ...(declared.existence === undefined ? {} : { existence: declared.existence }),
    ...(declared.cadence === undefined ? {} : { cadence: declared.cadence }),
    ...(declared.processing === undefined ? {} : { processing: toProcessing(declared.processing) }),
    ...(declared.licence === undefined ? {} : { licence: toLicence(declared.licence) }),
    searchRule: SEARCH_RULE,
    ...(declared.normalise === undefined ? {} : { normalise: declared.normalise }),
  };
  return { dataset, source };
}

function toProcessing({
  cadence,
  lag_days: lagDays,
}: NonNullable<DatasetDocument['processing']>): NonNullable<Dataset['processing']> {
  return {
    ...(cadence === undefined ? {} : { cadence }),
    ...(lagDays === undefined ? {} : { lagDays }),
  };
}

function toLicence({
  terms_url: termsUrl,
  ...licence
}: NonNullable<DatasetDocument['licence']>): Licence {
  return { ...licence, ...(termsUrl === undefined ? {} : { termsUrl }) };
}

function toFields(declared: DatasetDocument, report: Report): readonly Field[] {
  return Object.entries(declared.fields).map(([name, field]) => ({
    name,
    type: field.type,
    sourceColumn:
      field.source_column ??
      (field.from === undefined
        ? defaultSourceColumn({ name, type: field.type }, declared)
        : pointSourceColumn(name, field.from)),
    description: field.description ?? '',
    exampleValue: exampleValue(
      field.type,
      field.example_value,
      report.at('fields', name, 'example_value'),
    ),
    includedByDefault: field.included_by_default ?? name !== declared.outline,
    ...(field.additive === undefined ? {} : { additive: field.additive }),
    ...(field.suppress === undefined ? {} : { suppressBelow: field.suppress.below }),
    ...(field.suppress?.mark === true ? { marksWithheld: true } : {}),
    ...(field.sorted === true ? { sorted: true } : {}),
    ...(field.searchable === true ? { searchable: true } : {}),
    ...(name === declared.outline ? { outline: true } : {}),
  }));
}

function exampleValue(
  type: FieldType,
  example: string | number | boolean | undefined,
  report: Report,
): string {
  if (example === undefined) return '';
  return readValueText({ what: 'example', type, value: example, report }) ?? '';
}

function checkRoles(
  { fields, key, point, outline, period, existence }: DatasetDocument,
  report: Report,
): void {
  const scope: FieldScope = { fields };
  for (const [index, name] of key.entries()) {
    const types: readonly FieldType[] = ['string', 'integer', 'date', 'boolean'];
    expectField(scope, name, { types, report: report.at('key', String(index)) });
  }
  if (point !== undefined) expectPoint(scope, point, report.at('point'));
  if (outline !== undefined) {
    expectField(scope, outline, { types: ['string'], report: report.at('outline') });
  }
  if (period !== undefined) {
    expectField(scope, period.start, { types: ['date'], report: report.at('period', 'start') });
    expectField(scope, period.end, { types: ['date'], report: report.at('period', 'end') });
  }
  if (existence !== undefined) expectExistence(scope, existence, report.at('existence'));
}

/** The declared labels of totals. */
function readTotals(
  { totals = {}, fields }: DatasetDocument,
  report: Report,
): readonly (readonly [string, string])[] {
  return Object.entries(totals).flatMap(([name, value]) => {
    const types: readonly FieldType[] = ['string', 'integer', 'boolean', 'date'];
    const reportTotal = report.at('totals', name);
    const type = expectField({ fields }, name, { types, report: reportTotal });
    if (type === undefined || !types.includes(type)) return [];
    const label = readPresentText({ what: 'total', type, value, report: reportTotal });
    return label === undefined ? [] : [[name, label] as const];
  });
}

/** The label of the total in each field that is a column with totals. */
function totalLabels({
  steps,
  fields,
}: Pick<DatasetSource, 'steps' | 'fields'>): ReadonlyMap<string, string> {
  const columns = new Map<string, string>();
  for (const step of steps) {
    // A query may give its columns any meaning.
    if (step.kind === 'sql') columns.clear();
    if (step.kind !== 'aggregate') continue;
    for (const { name, label } of step.totals) columns.set(name, label);
  }
  return new Map(
    [...fields].flatMap(([field, source]) => {
      const [column] = source.columns;
      const label = source.columns.length === 1 ? columns.get(String(column)) : undefined;
      return label === undefined ? [] : [[field, label] as const];
    }),
  );
}
