import { isDeepStrictEqual } from 'node:util';
import { defaultAdditivity } from '@locmetrics/core/domain/additivity';
import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field } from '@locmetrics/core/domain/field';
import type { AddressComponent, Layer } from '@locmetrics/core/domain/layer';
import { licenceText } from '@locmetrics/core/domain/licence';
import {
  type Dimension,
  type Measure,
  type Metric,
  metricName,
} from '@locmetrics/core/domain/metric';
import type { DatasetVersion } from '@locmetrics/core/domain/version';

/** A difference between two versions, apart from their records. */
export type SchemaChange = {
  /** A whole sentence. */
  readonly change: string;
  /** Whether a previously valid request is refused or gets a different kind of answer. */
  readonly isBreaking: boolean;
};

/** Lists the changes between two versions of a dataset, breaking changes first. */
export function listSchemaChanges(
  before: DatasetVersion,
  after: DatasetVersion,
): readonly SchemaChange[] {
  const changes = [
    ...compare(OF_DATASET, before.dataset, after.dataset, DATASET),
    ...compare(OF_VERSION, before, after, DATASET),
  ];
  return changes.sort((one, other) => Number(other.isBreaking) - Number(one.isBreaking));
}

/** Compares one property of two items. The subject of a sentence is, for example, `layer 'stores'`. */
type Row<Item> = (before: Item, after: Item, subject: string) => readonly SchemaChange[];

function compare<Item>(
  rows: readonly Row<Item>[],
  ...[before, after, subject]: Parameters<Row<Item>>
): readonly SchemaChange[] {
  return rows.flatMap((row) => row(before, after, subject));
}

const DATASET = 'dataset';

const OF_FIELD: readonly Row<Field>[] = [
  value('The type', ({ type }) => type),
  value('The source column', ({ sourceColumn }) => sourceColumn),
  toggle(({ includedByDefault }) => includedByDefault, {
    on: { text: 'is now included by default', isBreaking: false },
    off: { text: 'is no longer included by default', isBreaking: true },
  }),
  value('The smallest value that is shown', ({ suppressBelow = 0 }) => suppressBelow, {
    breaks: (before, after) => after > before,
  }),
  toggle(({ marksWithheld }) => marksWithheld === true, {
    on: { text: 'now marks withheld values', isBreaking: false },
    off: { text: 'no longer marks withheld values', isBreaking: true },
  }),
  value('The additivity', (field) => field.additive ?? defaultAdditivity(field), {
    breaks: (_, after) => after !== 'all',
  }),
  value('The label of the total', ({ totalLabel = '' }) => totalLabel),
  texts('description', 'exampleValue'),
];

const OF_DATASET: readonly Row<Dataset>[] = [
  value('The key', ({ key }) => key.join(', ')),
  role('point', ({ point }) => point),
  role('period', ({ period }) => period),
  role('period of existence', ({ existence }) => existence),
  value('The licence', ({ licence }) => (licence ? licenceText(licence) : 'none'), {
    breaks: () => false,
  }),
  compareOrder,
  texts('productDisplayName', 'productDescription', 'displayName', 'description'),
  items('field', ({ fields }) => fields, { nameOf: ({ name }) => name, rows: OF_FIELD }),
];

const OF_COMPONENT: readonly Row<AddressComponent>[] = [
  value('The kind', ({ kind }) => kind),
  value('The label', ({ shortName }) => shortName),
  value('The layer', ({ mapLayerId }) => mapLayerId),
  compareReading,
  texts('displayName', 'description'),
];

const OF_LAYER: readonly Row<Layer>[] = [
  value('The feature id', ({ featureId }) => featureId),
  value('The name field', ({ name }) => name),
  role('point', ({ point }) => point),
  role('period of existence', ({ existence }) => existence),
  items('component', ({ addressComponents }) => addressComponents, {
    nameOf: ({ component }) => component,
    rows: OF_COMPONENT,
  }),
  texts('displayName', 'description', 'attribution', 'featureDisplayName'),
];

const OF_MEASURE: readonly Row<Measure>[] = [
  value('The field', ({ field }) => field),
  value('The kind', ({ kind }) => kind),
  value('The unit', ({ unit }) => unit),
  toggle(({ isNullable }) => isNullable, {
    on: { text: 'can now be absent', isBreaking: true },
    off: { text: 'can no longer be absent', isBreaking: false },
  }),
  texts('displayName', 'description'),
];

const OF_DIMENSION: readonly Row<Dimension>[] = [
  compareReading,
  value('The default', ({ defaultValue }) => defaultValue),
  value('The completeness', ({ completeness }) => completeness),
  texts('displayName', 'description'),
];

const OF_METRIC: readonly Row<Metric>[] = [
  value('The layer', ({ layerId }) => layerId),
  value('The feature id', ({ featureId }) => featureId),
  role('related layer', ({ related }) => related, { isAdditionBreaking: true }),
  value('The cadence', ({ cadence }) => cadence),
  value('The period', periodText),
  value('The main measure', ({ measures: [measure] }) => measure?.name ?? ''),
  value('The default filter', filterText),
  items('measure', ({ measures }) => measures, { nameOf: ({ name }) => name, rows: OF_MEASURE }),
  items('dimension', ({ dimensions }) => dimensions, {
    nameOf: ({ dimensionId }) => dimensionId,
    rows: OF_DIMENSION,
    // A dimension without a default returns several values where callers got one.
    isAdditionBreaking: ({ defaultValue }) => defaultValue === '',
  }),
  items('flag', ({ flags }) => flags, {
    nameOf: ({ flag }) => flag,
    rows: [value('The field', ({ field }) => field)],
  }),
  value('The stage', ({ lifecycleStage }) => lifecycleStage, { breaks: () => false }),
  texts('displayName', 'description', 'releaseNotes'),
];

const OF_VERSION: readonly Row<DatasetVersion>[] = [
  items('layer', ({ layers }) => layers, { nameOf: ({ id }) => id, rows: OF_LAYER }),
  items('metric', ({ metrics }) => metrics, { nameOf: metricName, rows: OF_METRIC }),
];

/** A value that requests or answers depend on. */
function value<Item, Value extends string | number>(
  what: string,
  of: (item: Item) => Value,
  { breaks = () => true }: { readonly breaks?: (before: Value, after: Value) => boolean } = {},
): Row<Item> {
  return (before, after, subject) =>
    changed(of(before), of(after), `${what}${ofSubject(subject)}`, breaks);
}

function changed<Value extends string | number>(
  before: Value,
  after: Value,
  subject: string,
  breaks: (before: Value, after: Value) => boolean,
): readonly SchemaChange[] {
  if (before === after) return [];
  const change = `${subject} changed from '${before}' to '${after}'.`;
  return [{ change, isBreaking: breaks(before, after) }];
}

/** The fields that a component or dimension is read from. */
function compareReading(
  before: { readonly fields: object },
  after: { readonly fields: object },
  subject: string,
): readonly SchemaChange[] {
  const [left, right] = [membersText(before.fields), membersText(after.fields)];
  return changed(left, right, `The source of the ${subject}`, () => true);
}

/** A property that an item has or does not have. */
function toggle<Item>(
  of: (item: Item) => boolean,
  { on, off }: Readonly<Record<'on' | 'off', { text: string; isBreaking: boolean }>>,
): Row<Item> {
  return (before, after, subject) => {
    if (of(before) === of(after)) return [];
    const { text, isBreaking } = of(after) ? on : off;
    return [{ change: `The ${subject} ${text}.`, isBreaking }];
  };
}

/** An optional part, compared by its fields. */
function role<Item>(
  noun: string,
  of: (item: Item) => object | undefined,
  { isAdditionBreaking = false }: { readonly isAdditionBreaking?: boolean } = {},
): Row<Item> {
  return (itemBefore, itemAfter, subject) => {
    const [before, after] = [of(itemBefore), of(itemAfter)];
    if (isDeepStrictEqual(before, after)) return [];
    if (before === undefined) {
      return [{ change: `The ${subject} now has a ${noun}.`, isBreaking: isAdditionBreaking }];
    }
    const change =
      after === undefined
        ? `The ${subject} no longer has a ${noun}.`
        : `The ${subject} has a different ${noun}: ${membersText(after)} instead of ${membersText(before)}.`;
    return [{ change, isBreaking: true }];
  };
}

/** Descriptive texts, which no program depends on. */
function texts<Item>(...members: readonly (keyof Item)[]): Row<Item> {
  return (before, after, subject) =>
    members.every((member) => before[member] === after[member])
      ? []
      : [{ change: `The descriptive texts of the ${subject} changed.`, isBreaking: false }];
}

/** A list, compared by the names of its parts: removed, added and changed ones. */
function items<Item, Part>(
  noun: string,
  of: (item: Item) => readonly Part[],
  {
    nameOf,
    rows,
    isAdditionBreaking = () => false,
  }: {
    readonly nameOf: (part: Part) => string;
    readonly rows: readonly Row<Part>[];
    readonly isAdditionBreaking?: (part: Part) => boolean;
  },
): Row<Item> {
  return (before, after, subject) => {
    const known = new Map(of(before).map((part) => [nameOf(part), part]));
    const kept = new Map(of(after).map((part) => [nameOf(part), part]));
    const partText = (name: string) => `${noun} '${name}'${ofSubject(subject)}`;
    return [
      ...[...known].flatMap(([name, part]) => {
        const same = kept.get(name);
        return same === undefined
          ? [{ change: `The ${partText(name)} is gone.`, isBreaking: true }]
          : compare(rows, part, same, partText(name));
      }),
      ...[...kept]
        .filter(([name]) => !known.has(name))
        .map(([name, part]) => ({
          change: `The ${partText(name)} is new.`,
          isBreaking: isAdditionBreaking(part),
        })),
    ];
  };
}

/** A sentence about a part of the dataset does not name the dataset. */
function ofSubject(subject: string): string {
  return subject === DATASET ? '' : ` of the ${subject}`;
}

/** The order of the common fields; it matters to callers that use positions. */
function compareOrder(before: Dataset, after: Dataset): readonly SchemaChange[] {
  const [left, right] = [before, after].map(({ fields }) => fields.map(({ name }) => name));
  const common = (names: readonly string[] = [], others: readonly string[] = []) =>
    names.filter((name) => others.includes(name));
  return isDeepStrictEqual(common(left, right), common(right, left))
    ? []
    : [{ change: 'The order of the fields changed.', isBreaking: false }];
}

function membersText(members: object): string {
  return Object.entries(members)
    .map(([name, member]) => `${name} ${member}`)
    .join(', ');
}

function periodText({ period: { start, end } }: Metric): string {
  return [start, end].map((day) => ('field' in day ? day.field : day.day)).join('/');
}

function filterText({ defaultFilters }: Metric): string {
  return defaultFilters
    .map(({ component, values }) => `${component}:${values.join(',')}`)
    .join(' ');
}
