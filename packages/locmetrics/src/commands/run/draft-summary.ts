import { relative } from 'node:path';
import type { DraftDataset } from '@locmetrics/ingest/draft/draft-dataset';
import type { DraftManifest } from '@locmetrics/ingest/draft/draft-manifest';
import type { DraftLayer, DraftMetric } from '@locmetrics/ingest/draft/relate-datasets';

/** What a draft serves, with the first values, so that its reader sees whether they are those of the file. */
export function summaryLines({ datasets, layers, metrics }: DraftManifest): readonly string[] {
  const of = (name: string) => datasets.find((dataset) => dataset.name === name);
  return [
    ...datasets.map((dataset) => `dataset  ${datasetText(dataset)}`),
    ...layers.map((layer) => `layer    ${layerText(layer, of(layer.dataset))}`),
    ...metrics.flatMap((metric) => [
      `metric   ${metricText(metric)}`,
      ...exampleLines(metric, of(metric.dataset)),
    ]),
  ];
}

/** Which files of folders are in a draft, and why others are not. */
export function folderLines({ taken, left }: DraftManifest): readonly string[] {
  if (taken.length + left.length === 0) return [];
  const alike = Map.groupBy(left, ({ reason }) => reason);
  return [
    `taken  ${namesOf(taken)}`,
    ...[...alike].map(
      ([reason, files]) => `left   ${namesOf(files.map(({ path }) => path))}: ${reason}`,
    ),
  ];
}

function namesOf(paths: readonly string[]): string {
  const shown = paths.slice(0, NAMES_MAX).map((path) => relative(process.cwd(), path));
  const more = paths.length > shown.length ? ` and ${paths.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

const NAMES_MAX = 10;

function datasetText(dataset: DraftDataset): string {
  const { name, files, rowCount, key, point, outline, period, examples } = dataset;
  const [first] = files;
  const { periods } = examples;
  const span = periods?.first === periods?.last ? '' : ` to ${periods?.last}`;
  return [
    `${name}: ${counted(rowCount, 'record')} of ${files.length === 1 ? first?.file.label : `${files.length} files`}`,
    `key ${key.fields.join(', ')}`,
    ...(outline === undefined ? [] : ['with outlines']),
    ...(point === undefined || outline !== undefined ? [] : ['with points']),
    ...(period === undefined || periods === undefined ? [] : [`${periods.first}${span}`]),
  ].join('; ');
}

function layerText({ id, name }: DraftLayer, dataset: DraftDataset | undefined): string {
  const count = dataset === undefined ? '' : `${counted(dataset.rowCount, 'feature')}, `;
  return `${id}: ${count}named by ${name}${dataset?.point === undefined ? ', without points' : ''}`;
}

function metricText(metric: DraftMetric) {
  const { name, layer, cadence, measures, dimensions, related, matched, ids } = metric;
  const ofIds = matched === ids ? '' : ` of ${ids.toLocaleString('en-US')}`;
  return [
    `${name}: ${measures.map(({ field }) => field).join(', ')}`,
    cadence === 'unspecified' ? 'periods of different lengths' : cadence.replace(/_.*/, ''),
    `${matched.toLocaleString('en-US')}${ofIds} ${matched === 1 ? 'feature' : 'features'} of the layer ${layer}`,
    ...(related === undefined ? [] : [`related to ${related.layer} by ${related.featureId}`]),
    ...(dimensions.length === 0 ? [] : [`by ${dimensions.join(', ')}`]),
  ].join('; ');
}

function exampleLines(
  { featureId, related, measures, dimensions }: DraftMetric,
  dataset: DraftDataset | undefined,
): readonly string[] {
  const [measure] = measures;
  const { period, examples } = dataset ?? {};
  if (measure === undefined || period === undefined || examples === undefined) return [];
  return examples.rows.map((row) => {
    const other = related === undefined ? [] : [related.featureId];
    // The first day of a week can be computed from its last one.
    const start = row.has(period.start) ? period.start : period.end;
    const place = [featureId, ...other, start, ...dimensions].map(
      (name) => row.get(name) ?? 'absent',
    );
    return `           ${place.join(', ')}: ${measure.field} ${row.get(measure.field) ?? 'absent'}`;
  });
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

/** A comment with CHECK, in one piece. */
export type Doubt = {
  /** From 1. */
  readonly line: number;
  /** The field that it is about. */
  readonly field: string | undefined;
  readonly text: string;
};

/** The comments with CHECK, the most dangerous first: rows that are left out or combined, then the key, then values. */
export function doubtsOf(text: string): readonly Doubt[] {
  const lines = text.split('\n');
  const doubts = lines.flatMap((line, index) => {
    const [, first] = /^ *# CHECK: (.*)$/.exec(line) ?? [];
    if (first === undefined) return [];
    const rest: string[] = [];
    for (let next = index + 1; /^ *# {3}\S/.test(lines[next] ?? ''); next += 1) {
      rest.push((lines[next] ?? '').replace(/^ *# */, ''));
    }
    const below =
      lines.slice(index + 1 + rest.length).find((one) => !/^ *# ([A-Z]| {2})/.test(one)) ?? '';
    const [, field] = FIELD.exec(below) ?? [];
    return {
      line: index + 1,
      field,
      text: [first, ...rest].join(' '),
      danger: dangerOf(below),
    };
  });
  return doubts.toSorted((left, right) => left.danger - right.danger);
}

/** Doubts for a reader. The same one about several places is told once. */
export function doubtLines(target: string, doubts: readonly Doubt[]): readonly string[] {
  const alike = Map.groupBy(doubts, ({ text }) => text);
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { line, field, text } = first;
    const about = field === undefined ? '' : `${field}: `;
    return [
      `${target}:${line}: ${about}${text}`,
      ...(others.length === 0 ? [] : [`  The same holds for ${listed(others)}.`]),
    ];
  });
}

function listed(doubts: readonly Doubt[]): string {
  const shown = doubts.length <= SHOWN_MAX + 1 ? doubts : doubts.slice(0, SHOWN_MAX);
  const names = shown.map(({ field, line }) =>
    field === undefined ? `line ${line}` : `${field} (line ${line})`,
  );
  if (shown.length < doubts.length) names.push(`${doubts.length - shown.length} others`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const SHOWN_MAX = 4;

/** By the line that a doubt is about: 0 is the greatest danger. */
function dangerOf(line: string): number {
  return DANGERS.findIndex((danger) => danger.test(line));
}

/** A line that declares a field. */
const FIELD = /^ {6}([^# ][^#:]*):( \{ type: .*)?$/;

const DANGERS = [
  /^ *(# )?(rows:|- (duplicates|where|sql|unpivot|aggregate)|accept:|footer:|skip_lines:|repeated_headers:|skip_below_header:)/,
  /^ *(key|totals|period):/,
  FIELD,
  /^ *(encoding|delimiter|quote|escape|nulls|coordinates|sheet|member):/,
  /^/,
];
