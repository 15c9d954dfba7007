import { type Dataset, findField } from '@locmetrics/core/domain/dataset';
import { canonicalOperator, type FilterClause, operatorOf } from '@locmetrics/core/domain/filter';
import { type GrantTerms, matchesPattern } from '@locmetrics/core/domain/grant';
import type { Predicate } from '@locmetrics/core/domain/predicate';
import { toSearchText } from '@locmetrics/core/domain/search-text';
import { valueText } from '@locmetrics/core/domain/value';
import type { DatasetVersion, LayerVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { nearestName } from '@locmetrics/core/errors/nearest-name';
import { unknownName } from '@locmetrics/core/errors/unknown-name';
import { expectComponent } from '@locmetrics/core/plan/plan-feature-filters';
import { expectField } from '@locmetrics/core/plan/plan-fields';
import { planFilters } from '@locmetrics/core/plan/plan-filters';
import { searchRuleOfSources } from '@locmetrics/core/plan/plan-named-values';
import { planPageSize } from '@locmetrics/core/plan/plan-page';
import { planQuery } from '@locmetrics/core/plan/plan-query';
import { planTextValues } from '@locmetrics/core/plan/plan-text-values';
import type { NamedValuesSource } from '@locmetrics/core/plan/read-plan';
import { optionalField, roleField } from '@locmetrics/core/plan/role-fields';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import { foldForSearch } from '@locmetrics/core/text/search-fold';
import type { AnswerLimit } from '../queries/answer-limit.ts';
import { runUntilDeadline } from '../queries/run-until-deadline.ts';
import { grantableNames } from './check-grant.ts';
import type { Published } from './fit-grant.ts';

/** The members of a grant that list values, with the names of the admin interface. */
export const GRANT_MEMBERS = [
  'filters',
  'fields',
  'featureFilter',
  'addressComponentFilter',
  'dimensionFilter',
  'relatedFeatureFilter',
  'relatedAddressComponentFilter',
] as const;
export type GrantMember = (typeof GRANT_MEMBERS)[number];

/** The list that a value is in: of filters, components and dimensions, those of one name. */
type GrantPlace = { readonly member: GrantMember; readonly name: string };

/** A value that a grant can name. */
export type GrantValue = {
  readonly value: string;
  /** The name of a feature, or of the value of a component or dimension; empty if it has none. */
  readonly name: string;
  /** The number of records that have it; undefined if they were not counted. */
  readonly rowCount: number | undefined;
};

/** A value that a grant names. */
export type CheckedGrantValue = GrantPlace & {
  /** The place of the value in a request to add the grant. */
  readonly pointer: string;
  /** The operator of a filter; empty for all others. */
  readonly operator: string;
  readonly value: string;
  /** 0 if it matches nothing; undefined if it matches something that was not counted. */
  readonly rowCount: number | undefined;
  /** The published value that was probably meant, of a value that matches nothing. */
  readonly nearest: string | undefined;
};

export type GrantValueSearch = GrantPlace & {
  readonly pattern: string;
  /** Empty: all values. */
  readonly query: string;
  readonly limit: number;
};

export type GrantValues = {
  /** Values that a grant of a pattern can name at a place. Without the name of a place, its possible names. */
  readonly search: (search: GrantValueSearch, signal: StopSignal) => Promise<readonly GrantValue[]>;
  /** The values that a grant names, with the number of records that have each. The terms fit what is published. */
  readonly check: (terms: GrantTerms, signal: StopSignal) => Promise<readonly CheckedGrantValue[]>;
};

/** Reads the values of all that is published now, once a search or check leaves the queue, until the deadline. */
export function openGrantValues({
  engine,
  catalog,
  answers,
  queryTimeoutMs: timeoutMs,
}: {
  readonly engine: Engine;
  readonly catalog: { readonly snapshot: () => Published };
  readonly answers: AnswerLimit;
  readonly queryTimeoutMs: number;
}): GrantValues {
  const run = <Result>(
    callerSignal: StopSignal,
    read: (reader: Reader, signal: StopSignal) => Promise<Result>,
  ): Promise<Result> =>
    runUntilDeadline({ callerSignal, timeoutMs }, async (signal) => {
      const release = await answers.takePlace({ signal, pageSize: 0 });
      try {
        return await read({ engine, published: catalog.snapshot() }, signal);
      } finally {
        release();
      }
    });
  return {
    search: (search, callerSignal) =>
      run(callerSignal, (reader, signal) => searchGrantValues(reader, search, signal)),
    check: (terms, callerSignal) =>
      run(callerSignal, (reader, signal) => checkGrantValues(reader, terms, signal)),
  };
}

/** Whether a grant names values at all. */
export function namesValues(terms: GrantTerms): boolean {
  return listsOf(terms).some(({ items }) => items.length > 0);
}

type Reader = { readonly engine: Engine; readonly published: Published };

async function searchGrantValues(
  { engine, published }: Reader,
  { query, limit: pageSize, ...search }: GrantValueSearch,
  signal: StopSignal,
): Promise<readonly GrantValue[]> {
  const limit = planPageSize(pageSize);
  const named = findNamed(search.pattern, published);
  if (search.member === 'fields' || (search.name === '' && !isOfFeatures(search.member))) {
    const folded = foldForSearch(query);
    return [...new Set(namesOf(search.member, named))]
      .filter((name) => foldForSearch(name).includes(folded))
      .slice(0, limit)
      .map((value) => ({ value, name: '', rowCount: undefined }));
  }
  const sources = sourcesOf(search, named);
  if (sources.length === 0) return [];
  const { values } = await engine.run(
    {
      kind: 'named_values',
      sources,
      query: planQuery(query, searchRuleOfSources(sources), '/query'),
      limit,
    },
    signal,
  );
  const found: GrantValue[] = [];
  for (const { value, displayName } of values) {
    const rowCount = await countRecords(engine, textValue(sources, value), signal);
    found.push({ value, name: displayName ?? '', rowCount });
  }
  return found;
}

/** More values are not counted one by one: one query finds which are there. */
const COUNTED_MAX = 200;

async function checkGrantValues(
  { engine, published }: Reader,
  terms: GrantTerms,
  signal: StopSignal,
): Promise<readonly CheckedGrantValue[]> {
  const named = findNamed(terms.pattern, published);
  if (named.datasets.length + named.metrics.length === 0) return [];
  const checked: CheckedGrantValue[] = [];
  for (const { place, operator, items } of listsOf(terms)) {
    const sources = sourcesOf(place, named);
    const findNearest = nearestFinder(engine, sources, signal);
    const isPresent = await openPresence(engine, sources, items, signal);
    for (const { pointer, value, clause } of items) {
      const counted = clause === undefined ? textValue(sources, value) : filtered(sources, clause);
      const rowCount =
        checked.length < COUNTED_MAX
          ? await countRecords(engine, counted, signal)
          : isPresent(counted, value);
      const nearest = rowCount === 0 && isEquality(operator) ? await findNearest(value) : undefined;
      checked.push({ ...place, pointer, operator, value, rowCount, nearest });
    }
  }
  return checked;
}

type Named = {
  readonly datasets: readonly DatasetVersion[];
  readonly metrics: readonly MetricVersion[];
};

function findNamed(pattern: string, { datasets, metrics }: Published): Named {
  const pick = <Version>(versions: ReadonlyMap<string, Version>): readonly Version[] =>
    [...versions].flatMap(([name, version]) => (matchesPattern(pattern, name) ? [version] : []));
  return { datasets: pick(datasets), metrics: pick(metrics) };
}

function isOfFeatures(member: GrantMember): boolean {
  return member === 'featureFilter' || member === 'relatedFeatureFilter';
}

/** The names that a place of a member can have, or the fields that a grant can show. */
function namesOf(member: GrantMember, { datasets, metrics }: Named): readonly string[] {
  const names = (dataset: Dataset) => dataset.fields.map(({ name }) => name);
  const components = (layer: LayerVersion) =>
    layer.layer.addressComponents
      .filter(({ kind }) => kind !== 'free_form')
      .map(({ component }) => component);
  switch (member) {
    case 'fields':
      return [
        ...datasets.flatMap(({ dataset }) => names(dataset)),
        ...metrics.flatMap(grantableNames),
      ];
    case 'filters':
      return [...datasets, ...metrics.map(({ values }) => values)].flatMap(({ dataset }) =>
        names(dataset),
      );
    case 'dimensionFilter':
      return metrics.flatMap(({ metric }) =>
        metric.dimensions.map(({ dimensionId }) => dimensionId),
      );
    case 'addressComponentFilter':
      return metrics.flatMap(({ layer }) => components(layer));
    case 'relatedAddressComponentFilter':
      return metrics.flatMap(({ relatedLayer }) =>
        relatedLayer === undefined ? [] : components(relatedLayer),
      );
    case 'featureFilter':
    case 'relatedFeatureFilter':
      return [];
  }
}

/** The fields whose values a place of a grant names. Metrics of one layer have the same. */
function sourcesOf(
  { member, name }: GrantPlace,
  { datasets, metrics }: Named,
): readonly NamedValuesSource[] {
  const layersOf = (isRelated: boolean) =>
    metrics.flatMap(({ layer, relatedLayer }) => (isRelated ? relatedLayer : layer) ?? []);
  switch (member) {
    case 'fields':
      return [];
    case 'filters':
      return distinct(
        [...datasets, ...metrics.map(({ values }) => values)].map((version) => ({
          version,
          value: expectField(name, version.dataset, '/name'),
        })),
      );
    case 'featureFilter':
    case 'relatedFeatureFilter':
      return distinct(
        layersOf(member === 'relatedFeatureFilter').map(({ layer, features }) => ({
          version: features,
          value: roleField(features.dataset, layer.featureId),
          displayName: stringField(features.dataset, layer.name),
        })),
      );
    case 'addressComponentFilter':
    case 'relatedAddressComponentFilter':
      return distinct(
        layersOf(member === 'relatedAddressComponentFilter').map(({ layer, features }) => {
          const { fields } = expectComponent(name, layer, '/name');
          return toSource(features, fields);
        }),
      );
    case 'dimensionFilter':
      return distinct(
        metrics.map(({ metric, values }) => {
          const found = metric.dimensions.find(({ dimensionId }) => dimensionId === name);
          if (found !== undefined) return toSource(values, found.fields);
          throw unknownName('UNKNOWN_DIMENSION', '/name', {
            noun: 'dimension',
            owner: `the metric '${metric.catalogId}/${metric.metricId}'`,
            name,
            known: metric.dimensions.map(({ dimensionId }) => dimensionId),
          });
        }),
      );
  }
}

function toSource(
  version: DatasetVersion,
  fields: {
    readonly value: string;
    readonly shortName?: string;
    readonly displayName?: string;
  },
): NamedValuesSource {
  const { dataset } = version;
  return {
    version,
    value: roleField(dataset, fields.value),
    shortName: optionalField(dataset, fields.shortName),
    displayName: optionalField(dataset, fields.displayName),
  };
}

/** Names are read from fields of texts alone. */
function stringField(dataset: Dataset, name: string) {
  const field = findField(dataset, name);
  return field?.type === 'string' ? field : undefined;
}

function distinct(sources: readonly NamedValuesSource[]): readonly NamedValuesSource[] {
  const keyOf = ({ version, value }: NamedValuesSource): string =>
    [version.dataset.name, version.version, value.name].join('\n');
  return [...new Map(sources.map((source) => [keyOf(source), source])).values()];
}

type GrantList = {
  readonly place: GrantPlace;
  readonly operator: string;
  readonly items: readonly GrantItem[];
};
type GrantItem = {
  readonly pointer: string;
  readonly value: string;
  /** The filter that finds its records; absent for the text of a feature, component or dimension. */
  readonly clause?: FilterClause;
};

function listsOf({ filters, lens }: GrantTerms): readonly GrantList[] {
  const listed = (
    member: GrantMember,
    lists: readonly { readonly name: string; readonly values: readonly string[] }[],
  ): readonly GrantList[] =>
    lists.map(({ name, values }, list) => ({
      place: { member, name },
      operator: '',
      items: values.map((value, index) => ({
        pointer: `/${member}/${list}/values/${index}`,
        value,
      })),
    }));
  const features = (member: GrantMember, ids: readonly string[]): GrantList => ({
    place: { member, name: '' },
    operator: '',
    items: ids.map((value, index) => ({ pointer: `/${member}/${index}`, value })),
  });
  const named = ({
    component,
    values,
  }: {
    readonly component: string;
    readonly values: readonly string[];
  }) => ({ name: component, values });
  return [
    ...filters.map(filterList),
    features('featureFilter', lens.features),
    ...listed('addressComponentFilter', lens.addressComponents.map(named)),
    ...listed(
      'dimensionFilter',
      lens.dimensions.map(({ dimensionId, values }) => ({ name: dimensionId, values })),
    ),
    features('relatedFeatureFilter', lens.relatedFeatures),
    ...listed('relatedAddressComponentFilter', lens.relatedAddressComponents.map(named)),
  ];
}

/** A filter that excludes values is checked too: a misspelt value would exclude nothing. */
function filterList(clause: FilterClause, index: number): GrantList {
  const { fieldName } = clause;
  const operator = canonicalOperator(clause.operator);
  const place = { member: 'filters', name: fieldName } as const;
  const equals = (value: FilterClause['value']): FilterClause => ({
    fieldName,
    operator: '==',
    value,
    values: [],
  });
  const definition = operatorOf(operator);
  switch (definition?.takes) {
    case 'none':
      return { place, operator, items: [] };
    case 'list':
      return {
        place,
        operator,
        items: clause.values.map((value, item) => ({
          pointer: `/filters/${index}/values/${item}`,
          value: String(value),
          clause: equals(value),
        })),
      };
    case 'one':
    case undefined: {
      const value = String(clause.value);
      const own = definition?.names === 'exclusions' ? equals(clause.value) : clause;
      const item = { pointer: `/filters/${index}/value`, value, clause: own };
      return { place, operator, items: [item] };
    }
  }
}

/** Whether one value is looked for, so that another one can have been meant. */
function isEquality(operator: string): boolean {
  return operator === '' || operatorOf(operator)?.names !== undefined;
}

type Counted = readonly {
  readonly version: DatasetVersion | NamedValuesSource['version'];
  readonly predicates: readonly Predicate[];
}[];

function textValue(sources: readonly NamedValuesSource[], value: string): Counted {
  return sources.map((source) => ({
    version: source.version,
    predicates: [planTextValues(source.value, [value])],
  }));
}

function filtered(sources: readonly NamedValuesSource[], clause: FilterClause): Counted {
  return sources.map(({ version }) => ({
    version,
    predicates: planFilters([clause], version.dataset),
  }));
}

async function countRecords(engine: Engine, counted: Counted, signal: StopSignal): Promise<number> {
  let count = 0;
  for (const { version, predicates } of counted) {
    count += await engine.run({ kind: 'count', version, predicates }, signal);
  }
  return count;
}

/** Finds with one query which of many values are there. Returns 0 for a value that is not, else undefined. */
async function openPresence(
  engine: Engine,
  sources: readonly NamedValuesSource[],
  items: readonly GrantItem[],
  signal: StopSignal,
): Promise<(counted: Counted, value: string) => 0 | undefined> {
  if (items.length <= COUNTED_MAX || sources.length === 0) return () => undefined;
  const textsOf = (item: GrantItem): readonly string[] =>
    storedTexts(item.clause === undefined ? [] : filtered(sources, item.clause), item.value);
  const values = [...new Set(items.flatMap(textsOf))];
  const found = await engine.run(
    { kind: 'named_values', sources, values, limit: values.length },
    signal,
  );
  const present = new Set(found.values.map(({ value }) => value));
  return (counted, value) =>
    storedTexts(counted, value).some((text) => present.has(text)) ? undefined : 0;
}

/** The text form of a value as it is stored: of `007` in a field of integers it is `7`. */
function storedTexts(counted: Counted, value: string): readonly string[] {
  const texts = counted
    .flatMap(({ predicates }) => predicates)
    .flatMap((predicate) => (predicate.kind === 'compare' ? [valueText(predicate.value)] : []));
  return texts.length === 0 ? [value] : texts;
}

const CANDIDATES_MAX = 10_000;
const START_LENGTH = 3;

/** Finds the published value that was probably meant: by its text, by its name, or because it contains the text. */
function nearestFinder(
  engine: Engine,
  sources: readonly NamedValuesSource[],
  signal: StopSignal,
): (text: string) => Promise<string | undefined> {
  const rule = searchRuleOfSources(sources);
  const list = (text: string) => {
    const query = toSearchText(text, rule);
    return engine.run({ kind: 'named_values', sources, query, limit: CANDIDATES_MAX }, signal);
  };
  let first: ReturnType<typeof list> | undefined;
  return async (text) => {
    const isText = sources.every(({ value }) => value.type === 'string');
    if (!isText || sources.length === 0) return undefined;
    first ??= list('');
    const { values, hasMore } = await first;
    const alike = hasMore ? await list(text.slice(0, START_LENGTH)) : undefined;
    const candidates = [...values, ...(alike?.values ?? [])];
    const byText = nearestName(
      text,
      candidates.map(({ value }) => value),
    );
    if (byText !== undefined) return byText;
    const named = candidates.filter(({ displayName }) => displayName !== null);
    const byName = nearestName(
      text,
      named.map(({ displayName }) => displayName ?? ''),
    );
    if (byName !== undefined) {
      return named.find(({ displayName }) => displayName === byName)?.value;
    }
    const [containing] = (await list(text)).values;
    return containing?.value;
  };
}
