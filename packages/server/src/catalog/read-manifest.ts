import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import type { Dataset } from '../domain/dataset.ts';
import type { Field, FieldType } from '../domain/field.ts';
import { nameHint } from '../domain/nearest-name.ts';
import { parseValue, valueText } from '../domain/value.ts';
import type { DatasetSource, DeclaredDataset, Manifest } from './manifest.ts';
import { ManifestError, type ManifestProblem } from './manifest-error.ts';
import {
  type DatasetDocument,
  FILE_FORMATS,
  type FileFormat,
  type ManifestDocument,
  ManifestSchema,
} from './manifest-schema.ts';

type Report = (keys: readonly string[], reason: string, hint?: string) => void;

/**
 * Reads and checks a manifest: YAML, shape, names, roles of fields and references.
 * Throws a `ManifestError` that lists everything found wrong, with lines.
 */
export async function readManifest(file: string): Promise<Manifest> {
  const path = resolve(file);
  const text = await readManifestText(path, file);
  const lineCounter = new LineCounter();
  const yaml = parseDocument(text, { merge: true, lineCounter, prettyErrors: false });
  if (yaml.errors.length > 0) {
    throw new ManifestError(
      file,
      yaml.errors.map((error) => ({
        line: lineCounter.linePos(error.pos[0]).line,
        path: '',
        reason: `This is not YAML: ${error.message}`,
      })),
    );
  }
  const problems: ManifestProblem[] = [];
  const report: Report = (keys, reason, hint) => {
    problems.push({
      ...lineOf(yaml, lineCounter, keys),
      path: keys.join('.'),
      reason,
      ...(hint === undefined ? {} : { hint }),
    });
  };
  const document = checkShape(toPlainValue(yaml, file), report);
  if (document === undefined) throw new ManifestError(file, inFileOrder(problems));
  const datasets = Object.entries(document.datasets).map(([name, declared]) =>
    toDeclaredDataset({ name, declared, document, folder: dirname(path), report }),
  );
  checkLayers(document, report);
  checkMetrics(document, report);
  if (problems.length > 0) throw new ManifestError(file, inFileOrder(problems));
  return { path, datasets };
}

function inFileOrder(problems: readonly ManifestProblem[]): readonly ManifestProblem[] {
  return problems.toSorted((left, right) => (left.line ?? 0) - (right.line ?? 0));
}

async function readManifestText(path: string, file: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new ManifestError(file, [
      {
        path: '',
        reason: `The manifest cannot be read: ${error instanceof Error ? error.message : error}.`,
        hint: 'Name the file locmetrics.yaml of your data.',
      },
    ]);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ManifestError(file, [
      { path: '', reason: 'The manifest is not UTF-8.', hint: 'Save the file as UTF-8.' },
    ]);
  }
}

/** An alias can lead nowhere, or be one of many that unfold without bound. */
function toPlainValue(yaml: Document, file: string): unknown {
  try {
    return yaml.toJS();
  } catch (error) {
    throw new ManifestError(file, [
      {
        path: '',
        reason: `The aliases in the manifest cannot be followed: ${error instanceof Error ? error.message : error}.`,
        hint: 'Write out what they stand for.',
      },
    ]);
  }
}

/** The line of the deepest part of the path that stands in the file. */
function lineOf(
  yaml: Document,
  lineCounter: LineCounter,
  keys: readonly string[],
): { readonly line?: number } {
  for (let depth = keys.length; depth > 0; depth -= 1) {
    const node = yaml.getIn(keys.slice(0, depth), true);
    if (isNode(node) && node.range) return { line: lineCounter.linePos(node.range[0]).line };
  }
  return {};
}

const validateShape = new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(
  ManifestSchema,
);

function checkShape(value: unknown, report: Report): ManifestDocument | undefined {
  if (validateShape(value)) {
    // The schema that was just checked is the type's own.
    return value as ManifestDocument;
  }
  for (const error of validateShape.errors ?? []) reportShape(error, report);
  return undefined;
}

function reportShape(error: ErrorObject, report: Report): void {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { parentSchema, params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const known = Object.keys(parentSchema?.['properties'] ?? {});
      const pattern = Object.keys(parentSchema?.['patternProperties'] ?? {})[0];
      if (pattern === undefined) {
        report([...keys, unknown], `Unknown key '${unknown}'.`, nameHint(unknown, known));
      } else {
        report([...keys, unknown], `The name '${unknown}' does not match ${pattern}.`);
      }
      return;
    }
    case 'required':
      report(keys, `The key '${String(params['missingProperty'])}' is missing.`);
      return;
    case 'enum': {
      const allowed: readonly unknown[] = parentSchema?.['enum'] ?? [];
      report(
        keys,
        `Unknown value '${String(error.data)}'.`,
        nameHint(String(error.data), allowed.map(String)),
      );
      return;
    }
    case 'const':
      report(
        keys,
        `Expected ${JSON.stringify(params['allowedValue'])}, found ${JSON.stringify(error.data)}.`,
      );
      return;
    case 'anyOf':
      // Its branches have reported themselves.
      return;
    case 'type':
      report(
        keys,
        `Expected ${String(params['type'])}, found ${JSON.stringify(error.data)}.`,
        params['type'] === 'string'
          ? 'Put quotes around a text that looks like a number.'
          : undefined,
      );
      return;
    default:
      report(keys, `${JSON.stringify(error.data)} ${error.message ?? 'is not valid'}.`);
  }
}

function toDeclaredDataset({
  name,
  declared,
  document,
  folder,
  report,
}: {
  readonly name: string;
  readonly declared: DatasetDocument;
  readonly document: ManifestDocument;
  readonly folder: string;
  readonly report: Report;
}): DeclaredDataset {
  const at = ['datasets', name];
  checkRoles(declared, at, report);
  const productId = name.slice(0, name.indexOf('.'));
  const product = document.products?.[productId];
  const dataset: Dataset = {
    name,
    productDisplayName: product?.display_name ?? productId,
    productDescription: product?.description ?? '',
    displayName: declared.display_name ?? name,
    description: declared.description ?? '',
    fields: toFields(declared, at, report),
    key: declared.key,
    ...(declared.point === undefined ? {} : { point: declared.point }),
    ...(declared.period === undefined ? {} : { period: declared.period }),
    ...(declared.existence === undefined ? {} : { existence: declared.existence }),
  };
  return { dataset, layers: [], metrics: [], source: toSource(declared, at, folder, report) };
}

function toFields(
  declared: DatasetDocument,
  at: readonly string[],
  report: Report,
): readonly Field[] {
  return Object.entries(declared.fields).map(([name, field]) => ({
    name,
    type: field.type,
    sourceColumn: field.source_column ?? defaultSourceColumn(name, field.type, declared),
    description: field.description ?? '',
    exampleValue: exampleValue(field.type, field.example_value, [...at, 'fields', name], report),
    includedByDefault: field.included_by_default ?? true,
  }));
}

/** `[namespace].[column].[type]` by the role of the field: period, existence, key, measure, place. */
function defaultSourceColumn(name: string, type: FieldType, declared: DatasetDocument): string {
  if (name === declared.period?.start) return 'observation_period.start.value';
  if (name === declared.period?.end) return 'observation_period.end.value';
  if (name === declared.existence?.start) return 'feature.came_into_existence.value';
  if (name === declared.existence?.end) return 'feature.ceased_to_exist.value';
  if (name === declared.key[0]) return 'feature.feature_id.value';
  const isCoordinate = name === declared.point?.latitude || name === declared.point?.longitude;
  const isMeasure = (type === 'integer' || type === 'float') && !isCoordinate;
  return `${isMeasure ? 'metric_value' : 'feature'}.${name}.value`;
}

function exampleValue(
  type: FieldType,
  example: string | number | boolean | undefined,
  at: readonly string[],
  report: Report,
): string {
  if (example === undefined) return '';
  const keys = [...at, 'example_value'];
  if (type === 'string' && typeof example !== 'string') {
    report(keys, `The example ${example} of a string field is not a text.`, 'Put it in quotes.');
    return '';
  }
  const parsed = parseValue(type, String(example));
  if ('value' in parsed) return valueText(parsed.value);
  report(keys, `The example '${example}' is not ${parsed.expected}.`);
  return '';
}

function checkRoles(declared: DatasetDocument, at: readonly string[], report: Report): void {
  const expectField = (
    name: string,
    types: readonly FieldType[],
    path: readonly string[],
  ): void => {
    const field = ownField(declared, name);
    if (field === undefined) {
      const hint = nameHint(name, Object.keys(declared.fields));
      report([...at, ...path], `There is no field '${name}'.`, hint);
    } else if (types.length > 0 && !types.includes(field.type)) {
      report(
        [...at, ...path],
        `The field '${name}' has the type ${field.type}.`,
        `It must be ${types.join(' or ')}.`,
      );
    }
  };
  for (const [index, name] of declared.key.entries()) {
    expectField(name, ['string', 'integer', 'date', 'boolean'], ['key', String(index)]);
  }
  const { point, period, existence } = declared;
  if (point !== undefined) {
    expectField(point.latitude, ['float'], ['point', 'latitude']);
    expectField(point.longitude, ['float'], ['point', 'longitude']);
    if (point.latitude === point.longitude) {
      report([...at, 'point'], `The field '${point.latitude}' is both latitude and longitude.`);
    }
  }
  if (period !== undefined) {
    expectField(period.start, ['date'], ['period', 'start']);
    expectField(period.end, ['date'], ['period', 'end']);
  }
  if (existence?.start !== undefined)
    expectField(existence.start, ['date'], ['existence', 'start']);
  if (existence?.end !== undefined) expectField(existence.end, ['date'], ['existence', 'end']);
}

/** Every object of JavaScript has a member `constructor`, which is also the name of a field. */
function ownField(
  { fields }: DatasetDocument,
  name: string,
): DatasetDocument['fields'][string] | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

function toSource(
  declared: DatasetDocument,
  at: readonly string[],
  folder: string,
  report: Report,
): DatasetSource {
  const files = typeof declared.files === 'string' ? [declared.files] : declared.files;
  const formats = new Set(files.map((file) => declared.format ?? formatOfName(file)));
  const format = [...formats][0];
  if (format === undefined || formats.size > 1) {
    report(
      [...at, 'files'],
      format === undefined
        ? `The format of '${files.join("', '")}' does not follow from the name.`
        : `The files have several formats: ${[...formats].join(', ')}.`,
      `Say one as format: ${FILE_FORMATS.join(', ')}.`,
    );
  }
  if (declared.csv !== undefined && format !== 'csv' && format !== 'tsv') {
    report([...at, 'csv'], `The files are ${format ?? 'of no known format'}, not CSV.`);
  }
  const columns = new Map<string, string>();
  for (const [name, field] of Object.entries(declared.fields)) {
    columns.set(name, field.column ?? name);
  }
  return {
    files: files.map((file) => resolve(folder, file)),
    format: format ?? 'csv',
    columns,
    delimiter: declared.csv?.delimiter ?? (format === 'tsv' ? '\t' : ','),
    quote: declared.csv?.quote ?? '"',
  };
}

const FORMAT_BY_SUFFIX: Readonly<Record<string, FileFormat>> = {
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  parquet: 'parquet',
  pq: 'parquet',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  geojson: 'geojson',
};

function formatOfName(file: string): FileFormat | undefined {
  const suffix = basename(file).toLowerCase().replace(/\.gz$/, '').split('.').at(-1) ?? '';
  return FORMAT_BY_SUFFIX[suffix];
}

function checkLayers(document: ManifestDocument, report: Report): void {
  for (const [id, layer] of Object.entries(document.layers ?? {})) {
    const at = ['layers', id];
    const dataset = expectDataset(layer.dataset, document, at, report);
    if (dataset === undefined) continue;
    expectDatasetField(layer.feature_id, layer.dataset, dataset, [...at, 'feature_id'], report);
    if (dataset.key.length !== 1 || dataset.key[0] !== layer.feature_id) {
      report(
        [...at, 'feature_id'],
        `'${layer.feature_id}' does not identify a record of ${layer.dataset}, whose key is ${dataset.key.join(', ')}.`,
        'A feature is one record: its id must be the whole key of the dataset.',
      );
    }
    expectDatasetField(layer.name, layer.dataset, dataset, [...at, 'name'], report);
    for (const [component, { value, short_name, display_name }] of Object.entries(
      layer.address_components ?? {},
    )) {
      for (const [role, name] of Object.entries({ value, short_name, display_name })) {
        if (name === undefined) continue;
        const path = [...at, 'address_components', component, role];
        expectDatasetField(name, layer.dataset, dataset, path, report);
      }
    }
  }
}

function checkMetrics(document: ManifestDocument, report: Report): void {
  for (const [id, metric] of Object.entries(document.metrics ?? {})) {
    const at = ['metrics', id];
    const layers = Object.keys(document.layers ?? {});
    if (!layers.includes(metric.layer)) {
      report(
        [...at, 'layer'],
        `There is no layer '${metric.layer}'.`,
        nameHint(metric.layer, layers),
      );
    }
    const dataset = expectDataset(metric.dataset, document, at, report);
    if (dataset === undefined) continue;
    if (dataset.period === undefined) {
      report([...at, 'dataset'], `The dataset ${metric.dataset} declares no period.`);
    }
    expectDatasetField(metric.feature_id, metric.dataset, dataset, [...at, 'feature_id'], report);
    const measures = [metric.measure, ...(metric.supporting_values ?? [])];
    for (const [index, measure] of measures.entries()) {
      const path =
        index === 0
          ? [...at, 'measure', 'field']
          : [...at, 'supporting_values', String(index - 1), 'field'];
      expectDatasetField(measure.field, metric.dataset, dataset, path, report);
    }
  }
}

function expectDataset(
  name: string,
  document: ManifestDocument,
  at: readonly string[],
  report: Report,
): DatasetDocument | undefined {
  const dataset = document.datasets[name];
  if (dataset === undefined) {
    const hint = nameHint(name, Object.keys(document.datasets));
    report([...at, 'dataset'], `There is no dataset '${name}'.`, hint);
  }
  return dataset;
}

function expectDatasetField(
  name: string,
  datasetName: string,
  dataset: DatasetDocument,
  at: readonly string[],
  report: Report,
): void {
  if (ownField(dataset, name) !== undefined) return;
  report(
    at,
    `There is no field '${name}' in ${datasetName}.`,
    nameHint(name, Object.keys(dataset.fields)),
  );
}
