import type { Dataset } from '../domain/dataset.ts';
import { bucketType } from '../domain/date-bucket.ts';
import type { Field, FieldType } from '../domain/field.ts';
import type { FilterClause } from '../domain/filter.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { nameHint } from '../errors/nearest-name.ts';
import { ServiceError } from '../errors/service-error.ts';
import { type Aggregation, aggregatedType, aggregationsOf } from '../requests/aggregation.ts';
import type {
  AggregatedField,
  FieldSelection,
  GroupSelection,
  ListRecordsRequest,
} from '../requests/catalog-request.ts';
import type { PageToken } from '../requests/page-token.ts';
import { checkAdditivity } from './check-additivity.ts';
import { expectField, planField, refuseOutline, selectedTwice } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planOptionPredicates, planOrderKeys, refuseNear } from './plan-options.ts';
import { planPageSize } from './plan-page.ts';
import type { AggregateTerm, GroupsPlan, GroupTerm } from './read-plan.ts';

/** More would make each group expensive. */
const GROUP_TERMS_MAX = 20;
const AGGREGATES_MAX = 100;

/** The name of the number of records of a group. */
const RECORD_COUNT = 'record_count';

/** A plan for groups, and which of their values are in the answer, with their definitions. */
export type PlannedGroups = {
  readonly plan: GroupsPlan;
  /** Of the answer, in the order of the request. */
  readonly fields: readonly Field[];
  /** The index of each of them among the values of the plan. */
  readonly indexes: readonly number[];
};

/** Whether a request is for groups of records and not for the records. */
export function isGrouped({ groupBy, recordCount, fields }: ListRecordsRequest): boolean {
  return (
    groupBy.length > 0 || recordCount || fields.some(({ aggregation }) => aggregation !== undefined)
  );
}

/** The plan of a page of groups. Refuses a request that the schema of the version does not allow. */
export function planGroups(
  request: ListRecordsRequest,
  version: DatasetVersion,
  token: PageToken | undefined,
): PlannedGroups {
  const { dataset } = version;
  refuseNear(request.options, 'groups of records');
  const groups = planGroupTerms(request.groupBy, dataset);
  const selected = request.fields.map((selection, index) =>
    planSelection(selection, { groups, dataset, pointer: `/fields/${index}` }),
  );
  const isCounted = request.recordCount || request.fields.length === 0;
  const aggregates = [
    ...selected.flatMap(({ aggregate }) => aggregate ?? []),
    ...(isCounted ? [COUNT_OF_RECORDS] : []),
  ];
  checkLength(aggregates, AGGREGATES_MAX, '/fields', 'aggregates');
  const names = [...groups, ...aggregates].map(({ name }) => name);
  checkNames(names, request);
  checkSelected(selected.map(({ name }) => name));
  const values: Dataset = {
    ...dataset,
    fields: [...groups.map(groupField), ...aggregates.map(aggregateField)],
  };
  const shown = [
    ...(request.fields.length === 0 ? groups.map(({ name }) => name) : []),
    ...selected.map(({ name }) => name),
    ...(isCounted ? [RECORD_COUNT] : []),
  ];
  const predicates = [
    ...planFilters(request.filters, dataset, request.filterLogic),
    ...planOptionPredicates(request.options, dataset),
  ];
  checkAdditivity({
    version,
    groups,
    aggregates: selected.flatMap(({ aggregate }, index) =>
      aggregate === undefined ? [] : [{ ...aggregate, pointer: `/fields/${index}` }],
    ),
    isCounted,
    predicates,
  });
  const indexes = shown.map((name) => names.indexOf(name));
  return {
    plan: {
      kind: 'groups',
      version,
      predicates,
      groups,
      aggregates,
      conditions: planConditions(request.groupFilters, values),
      order: planGroupOrder(request, values),
      after: token === undefined ? 0 : Number(token.position[0]),
      limit: planPageSize(request.pageSize),
    },
    fields: indexes.flatMap((index) => values.fields[index] ?? []),
    indexes,
  };
}

const COUNT_OF_RECORDS: AggregateTerm = { name: RECORD_COUNT, aggregation: 'COUNT', quantile: 0 };

function planGroupTerms(
  groupBy: readonly GroupSelection[],
  dataset: Dataset,
): readonly GroupTerm[] {
  checkLength(groupBy, GROUP_TERMS_MAX, '/groupBy', 'fields to group by');
  const terms = new Map<string, GroupTerm>();
  for (const [index, { fieldName, bucket }] of groupBy.entries()) {
    const pointer = `/groupBy/${index}`;
    const field = expectField(fieldName, dataset, `${pointer}/fieldName`);
    refuseOutline(field, `${pointer}/fieldName`, 'grouped');
    if (terms.has(field.name)) {
      throw ServiceError.atPointer(
        'INVALID_FIELD',
        `${pointer}/fieldName`,
        `The field '${field.name}' is grouped by twice.`,
        'Name each field once.',
      );
    }
    if (bucket !== undefined && field.type !== 'date') {
      throw ServiceError.atPointer(
        'INVALID_AGGREGATION',
        `${pointer}/bucket`,
        `The bucket ${bucket} needs a date field; '${field.name}' is a ${field.type} field.`,
        'Leave the bucket out, or group by a date field.',
      );
    }
    terms.set(field.name, { name: field.name, field, bucket });
  }
  return [...terms.values()];
}

/** A selected field, which is grouped by or aggregated, with the name of its value in the answer. */
function planSelection(
  selection: FieldSelection,
  {
    groups,
    dataset,
    pointer,
  }: {
    readonly groups: readonly GroupTerm[];
    readonly dataset: Dataset;
    readonly pointer: string;
  },
): { readonly name: string; readonly aggregate?: AggregateTerm } {
  const field = planField(selection, dataset, pointer);
  const { aggregation, alias = '' } = selection;
  if (aggregation !== undefined) {
    const aggregate = planAggregate({ ...selection, aggregation }, field, pointer);
    return { name: aggregate.name, aggregate };
  }
  if (selection.quantile !== undefined) throw quantileWithout(pointer, 'no aggregation');
  if (!groups.some(({ name }) => name === field.name)) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      `${pointer}/name`,
      `The field '${field.name}' is neither grouped by nor aggregated.`,
      'Add it to groupBy, or give it an aggregation.',
    );
  }
  if (alias === '') return { name: field.name };
  throw ServiceError.atPointer(
    'INVALID_FIELD',
    `${pointer}/alias`,
    `The field '${field.name}' is grouped by, so its value keeps its name.`,
    'Leave the alias out; aggregates can have one.',
  );
}

const ALIAS = /^[a-z][a-z0-9_]{0,99}$/;

function planAggregate(
  { aggregation, alias = '', quantile }: AggregatedField,
  field: Field,
  pointer: string,
): AggregateTerm {
  refuseOutline(field, `${pointer}/name`, 'aggregated');
  const allowed = aggregationsOf(field);
  if (!allowed.includes(aggregation)) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      `${pointer}/aggregation`,
      `${aggregation} is not possible for the ${field.type} field '${field.name}'.`,
      `Use ${allowed.join(', ')}.`,
    );
  }
  if (alias !== '' && !ALIAS.test(alias)) {
    throw ServiceError.atPointer(
      'INVALID_FIELD',
      `${pointer}/alias`,
      `'${alias.slice(0, 100)}' cannot be the name of a value.`,
      'Use a lowercase letter, then up to 99 lowercase letters, digits and underscores.',
    );
  }
  return {
    name: alias === '' ? field.name : alias,
    aggregation,
    field,
    quantile: planQuantile(aggregation, quantile, pointer),
  };
}

export function planQuantile(
  aggregation: Aggregation,
  quantile: number | undefined,
  pointer: string,
): number {
  if (aggregation !== 'QUANTILE') {
    if (quantile !== undefined) throw quantileWithout(pointer, `the aggregation ${aggregation}`);
    return MEDIAN;
  }
  if (quantile !== undefined && quantile >= 0 && quantile <= 1) return quantile;
  throw ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `${pointer}/quantile`,
    quantile === undefined
      ? 'The aggregation QUANTILE needs a quantile.'
      : `The quantile ${quantile} is not from 0 to 1.`,
    'For example: 0.9.',
  );
}

const MEDIAN = 0.5;

function quantileWithout(pointer: string, aggregation: string): ServiceError {
  return ServiceError.atPointer(
    'INVALID_AGGREGATION',
    `${pointer}/quantile`,
    `The field has a quantile, but ${aggregation}.`,
    'Leave the quantile out, or send the aggregation QUANTILE.',
  );
}

function checkNames(names: readonly string[], { groupBy, fields }: ListRecordsRequest): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return;
  const index = fields.findLastIndex(
    ({ name, alias = '', aggregation }) =>
      aggregation !== undefined && (alias === '' ? name : alias) === twice,
  );
  throw ServiceError.atPointer(
    'INVALID_FIELD',
    index === -1 ? '/recordCount' : `/fields/${index}`,
    groupBy.some(({ fieldName }) => fieldName === twice)
      ? `The aggregate has the name '${twice}' of a field that is grouped by.`
      : `Two aggregates have the name '${twice}'.`,
    'Give the aggregate an alias.',
  );
}

/** The names of aggregates are different already, so a name that appears twice is that of a group. */
function checkSelected(names: readonly string[]): void {
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index !== -1) throw selectedTwice(names[index], `/fields/${index}/name`);
}

function checkLength(list: readonly unknown[], max: number, pointer: string, what: string): void {
  if (list.length <= max) return;
  throw ServiceError.atPointer(
    'INVALID_REQUEST',
    pointer,
    `The request has ${list.length} ${what}.`,
    `Send at most ${max}.`,
  );
}

function groupField({ field, bucket }: GroupTerm): Field {
  return bucket === undefined ? field : withType(field, bucketType(bucket));
}

function aggregateField({ name, aggregation, field }: AggregateTerm): Field {
  if (field === undefined) {
    return {
      name,
      type: 'integer',
      sourceColumn: '',
      description: 'The number of records.',
      exampleValue: '',
      includedByDefault: true,
    };
  }
  const type = aggregatedType(aggregation, field.type);
  return {
    ...withType(field, type),
    name,
    description: `${aggregation} of ${field.name}. ${field.description}`.trim(),
  };
}

/** Its example need not be one of the aggregate. */
function withType(field: Field, type: FieldType): Field {
  const { name, sourceColumn, description } = field;
  return { name, type, sourceColumn, description, exampleValue: '', includedByDefault: true };
}

function planGroupOrder({ options }: ListRecordsRequest, values: Dataset): GroupsPlan['order'] {
  return planOrderKeys(options, ({ fieldName, descending }, pointer) => {
    return { index: indexOfValue(fieldName, values, pointer), descending };
  });
}

function planConditions(
  groupFilters: readonly FilterClause[],
  values: Dataset,
): GroupsPlan['conditions'] {
  for (const [index, { fieldName }] of groupFilters.entries()) {
    indexOfValue(fieldName, values, `/groupFilters/${index}/fieldName`);
  }
  return planFilters(groupFilters, values, '', '/groupFilters');
}

/** Refuses a name that groups do not have, even if the records have such a field. */
function indexOfValue(name: string, { fields }: Dataset, pointer: string): number {
  const names = fields.map((field) => field.name);
  const index = names.indexOf(name);
  if (index !== -1) return index;
  throw ServiceError.atPointer(
    'UNKNOWN_FIELD',
    pointer,
    `The groups have no value '${name.slice(0, 200)}'.`,
    nameHint(name, names),
  );
}
