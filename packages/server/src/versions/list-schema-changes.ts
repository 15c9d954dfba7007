import { isDeepStrictEqual } from 'node:util';
import type { Dataset } from '../domain/dataset.ts';
import type { Field } from '../domain/field.ts';
import type { AddressComponent, Layer } from '../domain/layer.ts';
import { type Dimension, type Measure, type Metric, metricName } from '../domain/metric.ts';
import type { DatasetVersion } from '../domain/version.ts';

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
    ...datasetChanges(before.dataset, after.dataset),
    ...compareNamed(before.dataset.fields, after.dataset.fields, {
      nameOf: ({ name }) => `field '${name}'`,
      compare: fieldChanges,
    }),
    ...compareNamed(before.layers, after.layers, {
      nameOf: ({ id }) => `layer '${id}'`,
      compare: layerChanges,
    }),
    ...compareNamed(before.metrics, after.metrics, {
      nameOf: (metric) => `metric '${metricName(metric)}'`,
      compare: metricChanges,
    }),
  ];
  return [...changes.filter(isBreaking), ...changes.filter((change) => !isBreaking(change))];
}

function isBreaking({ isBreaking: breaks }: SchemaChange): boolean {
  return breaks;
}

function datasetChanges(before: Dataset, after: Dataset): readonly SchemaChange[] {
  const subject = 'The dataset';
  return [
    ...changed(before.key.join(', '), after.key.join(', '), 'The key'),
    ...compareRole(before.point, after.point, `${subject} has`, 'point'),
    ...compareRole(before.period, after.period, `${subject} has`, 'period'),
    ...compareRole(before.existence, after.existence, `${subject} has`, 'period of existence'),
    ...compareOrder(before, after),
    ...compareTexts(before, after, subject, [
      'productDisplayName',
      'productDescription',
      'displayName',
      'description',
    ]),
  ];
}

/** The order of the common fields; it matters to callers that use positions. */
function compareOrder(before: Dataset, after: Dataset): readonly SchemaChange[] {
  const [left, right] = [before, after].map(({ fields }) => fields.map(({ name }) => name));
  const common = (names: readonly string[] = [], others: readonly string[] = []) =>
    names.filter((name) => others.includes(name));
  return isDeepStrictEqual(common(left, right), common(right, left))
    ? []
    : [{ change: 'The fields come in another order.', isBreaking: false }];
}

function fieldChanges(before: Field, after: Field, subject: string): readonly SchemaChange[] {
  const { suppressBelow: leastBefore = 0 } = before;
  const { suppressBelow: least = 0 } = after;
  return [
    ...changed(before.type, after.type, `The type of the ${subject}`),
    ...changed(before.sourceColumn, after.sourceColumn, `The source column of the ${subject}`),
    ...(before.includedByDefault === after.includedByDefault
      ? []
      : [
          after.includedByDefault
            ? { change: `The ${subject} is given by default now.`, isBreaking: false }
            : { change: `The ${subject} is given by default no longer.`, isBreaking: true },
        ]),
    ...changed(leastBefore, least, `The least value that is shown of the ${subject}`, {
      isBreaking: least > leastBefore,
    }),
    ...compareTexts(before, after, `The ${subject}`, ['description', 'exampleValue']),
  ];
}

function layerChanges(before: Layer, after: Layer, subject: string): readonly SchemaChange[] {
  return [
    ...changed(before.featureId, after.featureId, `The feature id of the ${subject}`),
    ...changed(before.name, after.name, `The field with the names of the ${subject}`),
    ...compareRole(before.point, after.point, `The ${subject} has`, 'point'),
    ...compareRole(before.existence, after.existence, `The ${subject} has`, 'period of existence'),
    ...compareNamed(before.addressComponents, after.addressComponents, {
      nameOf: ({ component }) => `component '${component}' of the ${subject}`,
      compare: componentChanges,
    }),
    ...compareTexts(before, after, `The ${subject}`, [
      'displayName',
      'description',
      'attribution',
      'featureDisplayName',
    ]),
  ];
}

function componentChanges(
  before: AddressComponent,
  after: AddressComponent,
  subject: string,
): readonly SchemaChange[] {
  return [
    ...changed(before.kind, after.kind, `The kind of the ${subject}`),
    ...changed(before.shortName, after.shortName, `The label of the ${subject}`),
    ...changed(before.mapLayerId, after.mapLayerId, `The layer of the ${subject}`),
    ...changed(fieldsText(before), fieldsText(after), `What the ${subject} is read from`),
    ...compareTexts(before, after, `The ${subject}`, ['displayName', 'description']),
  ];
}

function metricChanges(before: Metric, after: Metric, subject: string): readonly SchemaChange[] {
  return [
    ...changed(before.layerId, after.layerId, `The layer of the ${subject}`),
    ...changed(before.featureId, after.featureId, `The feature id of the ${subject}`),
    ...compareRole(before.related, after.related, `The ${subject} has`, 'related layer', {
      isAdditionBreaking: true,
    }),
    ...changed(before.cadence, after.cadence, `The cadence of the ${subject}`),
    ...changed(periodText(before), periodText(after), `The period of the ${subject}`),
    ...changed(mainMeasure(before), mainMeasure(after), `The main measure of the ${subject}`),
    ...changed(filterText(before), filterText(after), `The default filter of the ${subject}`),
    ...compareNamed(before.measures, after.measures, {
      nameOf: ({ name }) => `measure '${name}' of the ${subject}`,
      compare: measureChanges,
    }),
    ...compareNamed(before.dimensions, after.dimensions, {
      nameOf: ({ dimensionId }) => `dimension '${dimensionId}' of the ${subject}`,
      compare: dimensionChanges,
      // A dimension without a default returns several values where callers got one.
      isAdditionBreaking: ({ defaultValue }) => defaultValue === '',
    }),
    ...compareNamed(before.flags, after.flags, {
      nameOf: ({ flag }) => `flag '${flag}' of the ${subject}`,
      compare: (left, right, flag) => changed(left.field, right.field, `The field of the ${flag}`),
    }),
    ...changed(before.lifecycleStage, after.lifecycleStage, `The stage of the ${subject}`, {
      isBreaking: false,
    }),
    ...compareTexts(before, after, `The ${subject}`, [
      'displayName',
      'description',
      'releaseNotes',
    ]),
  ];
}

function measureChanges(before: Measure, after: Measure, subject: string): readonly SchemaChange[] {
  return [
    ...changed(before.field, after.field, `The field of the ${subject}`),
    ...changed(before.kind, after.kind, `The kind of the ${subject}`),
    ...changed(before.unit, after.unit, `The unit of the ${subject}`),
    ...(before.isNullable === after.isNullable
      ? []
      : [
          after.isNullable
            ? { change: `The ${subject} can be absent now.`, isBreaking: true }
            : { change: `The ${subject} is never absent now.`, isBreaking: false },
        ]),
    ...compareTexts(before, after, `The ${subject}`, ['displayName', 'description']),
  ];
}

function dimensionChanges(
  before: Dimension,
  after: Dimension,
  subject: string,
): readonly SchemaChange[] {
  return [
    ...changed(fieldsText(before), fieldsText(after), `What the ${subject} is read from`),
    ...changed(before.defaultValue, after.defaultValue, `The default of the ${subject}`),
    ...changed(before.completeness, after.completeness, `The completeness of the ${subject}`),
    ...compareTexts(before, after, `The ${subject}`, ['displayName', 'description']),
  ];
}

/** Compares two lists by name: removed, added and changed items. */
function compareNamed<Item>(
  before: readonly Item[],
  after: readonly Item[],
  {
    nameOf,
    compare,
    isAdditionBreaking = () => false,
  }: {
    readonly nameOf: (item: Item) => string;
    readonly compare: (before: Item, after: Item, name: string) => readonly SchemaChange[];
    readonly isAdditionBreaking?: (item: Item) => boolean;
  },
): readonly SchemaChange[] {
  const [known, kept] = [before, after].map(
    (items) => new Map(items.map((item) => [nameOf(item), item])),
  );
  return [
    ...before.flatMap((item) => {
      const name = nameOf(item);
      const same = kept?.get(name);
      return same === undefined
        ? [{ change: `The ${name} is gone.`, isBreaking: true }]
        : compare(item, same, name);
    }),
    ...after
      .filter((item) => known?.has(nameOf(item)) === false)
      .map((item) => ({
        change: `The ${nameOf(item)} is new.`,
        isBreaking: isAdditionBreaking(item),
      })),
  ];
}

/** Compares an optional part of a dataset, layer or metric by its fields. */
function compareRole(
  before: object | undefined,
  after: object | undefined,
  subject: string,
  noun: string,
  { isAdditionBreaking = false }: { readonly isAdditionBreaking?: boolean } = {},
): readonly SchemaChange[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) {
    return [{ change: `${subject} a ${noun} now.`, isBreaking: isAdditionBreaking }];
  }
  return [
    {
      change:
        after === undefined
          ? `${subject} no ${noun} any more.`
          : `${subject} another ${noun}: ${membersText(after)} instead of ${membersText(before)}.`,
      isBreaking: true,
    },
  ];
}

function changed(
  before: string | number,
  after: string | number,
  subject: string,
  { isBreaking: breaks = true }: { readonly isBreaking?: boolean } = {},
): readonly SchemaChange[] {
  if (before === after) return [];
  return [{ change: `${subject} is '${after}' and was '${before}'.`, isBreaking: breaks }];
}

/** Compares descriptive texts, which no program depends on. */
function compareTexts<Item>(
  before: Item,
  after: Item,
  subject: string,
  members: readonly (keyof Item)[],
): readonly SchemaChange[] {
  return members.every((member) => before[member] === after[member])
    ? []
    : [{ change: `${subject} is described with another text.`, isBreaking: false }];
}

function fieldsText({ fields }: { readonly fields: object }): string {
  return membersText(fields);
}

function membersText(members: object): string {
  return Object.entries(members)
    .map(([name, member]) => `${name} ${member}`)
    .join(', ');
}

function mainMeasure({ measures: [measure] }: Metric): string {
  return measure?.name ?? '';
}

function periodText({ period: { start, end } }: Metric): string {
  return [start, end].map((day) => ('field' in day ? day.field : day.day)).join('/');
}

function filterText({ defaultFilters }: Metric): string {
  return defaultFilters
    .map(({ component, values }) => `${component}:${values.join(',')}`)
    .join(' ');
}
