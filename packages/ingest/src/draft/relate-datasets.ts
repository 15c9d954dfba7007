import type { Cadence } from '@locmetrics/core/domain/metric';
import type { DraftDataset } from './draft-dataset.ts';
import { isMeasure } from './keys/combine-repeated.ts';
import { declaredTotals } from './total-doubt.ts';
import type { DraftField } from './values/draft-fields.ts';
import { isCategoryName, isPlanarName, measureKind, unitOfName } from './values/measure-kind.ts';
import { distinctName, validName } from './values/valid-name.ts';

export type DraftLayer = {
  readonly id: string;
  readonly dataset: string;
  readonly featureId: string;
  readonly name: string;
  readonly components: readonly string[];
  /** Whether it has nothing but ids. */
  readonly isBare: boolean;
};

export type DraftMetric = {
  readonly name: string;
  readonly dataset: string;
  readonly layer: string;
  readonly featureId: string;
  readonly cadence: Cadence;
  readonly measures: readonly {
    readonly field: string;
    readonly kind: 'count' | 'number';
    readonly unit?: string | undefined;
  }[];
  /** The other place of its values, such as a home. */
  readonly related: { readonly layer: string; readonly featureId: string } | undefined;
  readonly dimensions: readonly string[];
  /** The value of a field in the records with totals. */
  readonly totals: ReadonlyMap<string, string>;
  /** How many of the different ids are features of the layer. */
  readonly matched: number;
  readonly ids: number;
  /** An id that is no feature, if there is one. */
  readonly unmatched: string | undefined;
};

/** Finds which datasets are places, and which have values for them. */
export function relateDatasets(datasets: readonly DraftDataset[]): {
  readonly layers: readonly DraftLayer[];
  readonly metrics: readonly DraftMetric[];
} {
  const taken = new Set<string>();
  const layers = datasets.flatMap((dataset): DraftLayer | readonly [] => {
    const [featureId, ...more] = dataset.key.fields;
    const field = dataset.fields.find(({ name }) => name === featureId);
    if (featureId === undefined || more.length > 0 || field?.document.type !== 'string') return [];
    if (dataset.period !== undefined && dataset.point === undefined) return [];
    if (dataset.point === undefined && datasets.length === 1) return [];
    const isPlaces = dataset.point !== undefined || dataset.isLayer === true;
    const named = nameField(dataset);
    // A list of ids is one of places if nothing else tells values apart.
    const isBare = named === undefined && !isPlaces;
    if (isBare && measuresOf(dataset).length > 0) return [];
    const name = named ?? featureId;
    const id = distinctName(validName(dataset.name.split('.')[1] ?? 'places'), taken);
    taken.add(id);
    return {
      id,
      dataset: dataset.name,
      featureId,
      name,
      isBare,
      components: componentFields(dataset, featureId, name),
    };
  });
  const metrics = datasets.flatMap((dataset) => findMetric(dataset, layers, datasets));
  // Without a point, places are a layer only if there are values for them.
  const used = layers.filter(
    ({ id, dataset }) =>
      metrics.some(({ layer, related }) => layer === id || related?.layer === id) ||
      datasets.find(({ name }) => name === dataset)?.point !== undefined,
  );
  return { layers: used, metrics };
}

const NAMES =
  /(^|_)(name|title|label|bezeichnung|nombre|nom|nome|naam|nazwa|navn|namn|denominazione|denominacion|libelle|intitule)$|^name|name$/;

/** In other languages what is named follows: nom de la station, but not that of its line. */
const NAMES_OF =
  /^(nom|nombre|nome|naam|nazwa|navn|namn)_(\w+_)?(station|stop|arret|gare|site|lieu|commune|ville|departement|region|estacion|parada|lugar|municipio|barrio|distrito|comuna|comune|stazione|fermata|localita|estacao|ponto|bairro|locatie|gemeente|halte)$/;

function nameField(dataset: DraftDataset): string | undefined {
  const { fields, key, alternatives, rowCount, constants } = dataset;
  // What all places share, such as the name of a network, is the name of none.
  const isShared = (name: string) => rowCount > 1 && constants.has(name);
  const texts = fields.filter(
    ({ name, document }) =>
      document.type === 'string' && !key.fields.includes(name) && !isShared(name),
  );
  const named = texts.filter(({ name }) => NAMES.test(name) || NAMES_OF.test(name));
  const isFilled = (name: string) => {
    const { size = 0 } = alternatives.get(name) ?? {};
    return size === 0 || size >= rowCount * FILLED_MIN;
  };
  // A text that no two places share is a better name than a code.
  const other = texts.find(
    ({ name, isCode, document }) =>
      alternatives.has(name) &&
      isFilled(name) &&
      rowCount > 1 &&
      !isCode &&
      document.pad === undefined &&
      !/address|url|http|web|mail|phone|uid|iso/.test(name),
  );
  return (named.find(({ name }) => name === 'name') ?? named[0] ?? other)?.name;
}

/** The share of the places that have a text, so that it can be their name. */
const FILLED_MIN = 0.9;

const COMPONENTS =
  /(^|_)(state|county|city|region|district|ward|country|province|type|category|brewery_type|park_type|borough|municipality|canton|subd|continent)($|_name$|_province$)/;

/** Whether a field has the name of a place, or of a larger one that it is in. */
export function isPlaceName(name: string): boolean {
  return NAMES.test(name) || COMPONENTS.test(name) || /address|street|(^|_)(zip|postal)/.test(name);
}

function componentFields(
  { fields }: DraftDataset,
  featureId: string,
  name: string,
): readonly string[] {
  return fields
    .filter(
      (field) =>
        field.document.type === 'string' &&
        field.name !== featureId &&
        field.name !== name &&
        !['feature_id', 'name', 'geo'].includes(field.name) &&
        COMPONENTS.test(field.name),
    )
    .map((field) => field.name)
    .slice(0, COMPONENTS_MAX);
}

const COMPONENTS_MAX = 4;

function findMetric(
  dataset: DraftDataset,
  layers: readonly DraftLayer[],
  datasets: readonly DraftDataset[],
): readonly DraftMetric[] {
  const { period, key } = dataset;
  const measures = measuresOf(dataset);
  if (period === undefined || measures.length === 0) return [];
  const texts = [...dataset.keyValues].filter(([id]) =>
    dataset.fields.some(({ name, document }) => name === id && document.type === 'string'),
  );
  const codes = texts.filter(([id]) => id !== dataset.related);
  const isAlone = texts.length === 1;
  const pairs = codes.flatMap(([featureId, values]) =>
    layers.flatMap((layer) => {
      if (layer.isBare && !isAlone) return [];
      const owner = datasets.find(({ name }) => name === layer.dataset);
      const known = owner?.keyValues.get(layer.featureId);
      if (owner === dataset || known === undefined) return [];
      const unknown = [...values].filter((value) => !known.has(value));
      const matched = values.size - unknown.length;
      return [{ featureId, layer, matched, ids: values.size, unmatched: unknown[0] }];
    }),
  );
  const best = pairs
    .filter(({ matched, ids }) => matched > 0 && matched >= ids * MATCHED_MIN)
    .toSorted(
      (left, right) =>
        right.matched / right.ids - left.matched / left.ids ||
        Number(left.layer.isBare) - Number(right.layer.isBare),
    )[0];
  if (best === undefined) return [];
  const related = relatedLayer(dataset, layers, datasets) ?? otherEnd(dataset, best, datasets);
  const [catalog = 'data', metric = 'values'] = dataset.name.split('.');
  return [
    {
      name: `${catalog}/${metric}`,
      dataset: dataset.name,
      layer: best.layer.id,
      featureId: best.featureId,
      cadence: cadenceOf(dataset),
      // The first one is the measure of the metric, the others support it.
      measures: measures
        .toSorted((left, right) => rank(dataset, right) - rank(dataset, left))
        .map(toMeasure),
      dimensions: key.fields.filter(
        (name) =>
          name !== best.featureId &&
          name !== period.start &&
          name !== period.end &&
          name !== related?.featureId,
      ),
      related,
      totals: declaredTotals(dataset),
      matched: best.matched,
      ids: best.ids,
      unmatched: best.unmatched,
    },
  ];
}

/** The layer that has the other places. */
function relatedLayer(
  { related, keyValues }: DraftDataset,
  layers: readonly DraftLayer[],
  datasets: readonly DraftDataset[],
): DraftMetric['related'] {
  const values = related === undefined ? undefined : keyValues.get(related);
  if (related === undefined || values === undefined) return undefined;
  const found = layers.flatMap((layer) => {
    const owner = datasets.find(({ name }) => name === layer.dataset);
    const known = owner?.keyValues.get(layer.featureId);
    const hasAll = known !== undefined && [...values].every((value) => known.has(value));
    // The keys of the other maps of this file have some of its places by chance.
    const isOther = owner?.isOfKeys === true && layer.featureId !== related;
    return hasAll && !isOther ? { layer: layer.id, featureId: related } : [];
  });
  return found[0];
}

/** The field of the key with the other end of a way, such as the destination: all its values are places of the same layer. */
function otherEnd(
  { key, keyValues }: DraftDataset,
  { featureId, layer }: { readonly featureId: string; readonly layer: DraftLayer },
  datasets: readonly DraftDataset[],
): DraftMetric['related'] {
  const owner = datasets.find(({ name }) => name === layer.dataset);
  const known = owner?.keyValues.get(layer.featureId);
  const found = key.fields.find((name) => {
    const values = keyValues.get(name);
    return (
      name !== featureId &&
      values !== undefined &&
      values.size > 1 &&
      known !== undefined &&
      [...values].every((value) => known.has(value))
    );
  });
  return found === undefined ? undefined : { layer: layer.id, featureId: found };
}

/**
 * The numbers of a dataset that a metric can have. An hour, an age group or the number of a place is one only if there
 * is no other.
 */
export function measuresOf({ fields, key, otherNumbers }: DraftDataset): readonly DraftField[] {
  const isCategory = ({ name, document }: DraftField) =>
    (document.type === 'integer' && isCategoryName(name)) || isPlanarName(name);
  const numbers = fields.filter(
    (field) => isMeasure(field, key) && !NO_MEASURE.test(field.name) && !isCategory(field),
  );
  const measures = numbers.filter(({ name }) => !otherNumbers.has(name));
  return measures.length > 0 ? measures : numbers;
}

/** How well a field can be the measure of a metric: best a count, of the columns that became rows if there are some. */
function rank({ wide, constants }: DraftDataset, field: DraftField): number {
  const isWide = wide?.values.some(({ name }) => name === field.name) === true;
  const isCount = toMeasure(field).kind === 'count';
  return (constants.has(field.name) ? 0 : 4) + (isWide ? 2 : 0) + (isCount ? 1 : 0);
}

const NO_MEASURE = /(^|_)(id|level|rank|order|accuracy|index_no|year|row)$/;

const MATCHED_MIN = 0.3;

function toMeasure({
  name,
  label,
  column,
  document,
  unit,
}: DraftField): DraftMetric['measures'][number] {
  const { type, format } = document;
  const kind = measureKind({
    name: label ?? name,
    type,
    format,
    unit: unit ?? unitOfName(column),
    least: 0,
  });
  return {
    field: name,
    unit,
    kind: document.type === 'integer' && kind === 'count' ? 'count' : 'number',
  };
}

function cadenceOf({ period }: DraftDataset): Cadence {
  switch (period?.unit) {
    case 'day':
      return 'daily';
    case 'week':
      return 'weekly_mon_sun';
    case 'month':
      return 'monthly';
    case 'quarter':
      return 'quarterly';
    case 'year':
      return 'yearly';
    case undefined:
      return period?.cadence ?? 'unspecified';
  }
}
