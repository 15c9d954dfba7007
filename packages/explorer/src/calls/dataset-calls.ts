import type { DataReference, FieldDefinition, ListRecordsRequest } from '@locmetrics/client';
import { ABOUT_ADDITIVE, type Additive, READY_PAGE_SIZE, type ReadyCall } from './ready-call.ts';

/** Calls for the records of a dataset: groups, sums that its measures allow, filters combined with OR, counts by date. */
export function datasetCalls({
  name: dataReferenceName,
  fields,
}: Pick<DataReference, 'name' | 'fields'>): readonly ReadyCall[] {
  const roles = rolesOf(fields);
  const { group, place, start } = roles;
  const groupedBy = group ?? place;
  const measure = measureOf(fields);
  return [
    ...(groupedBy === undefined
      ? []
      : [
          grouped({
            title: `Count the records by ${groupedBy.name}`,
            about: `Groups the records, with the largest group first. ${TOTALS}`,
            request: {
              dataReferenceName,
              groupBy: [{ fieldName: groupedBy.name }],
              recordCount: true,
              options: { orderBy: { fieldName: 'record_count', direction: 'DESC' } },
            },
          }),
        ]),
    ...(measure === undefined ? [] : [aggregate(dataReferenceName, measure, roles)]),
    ...combineFilters(dataReferenceName, fields, groupedBy),
    ...(start === undefined
      ? []
      : [
          {
            title: 'Count the records and places of each date',
            about: 'Shows which dates a dataset has, and how complete they are.',
            call: { operation: 'listRecordsStatistics', request: { dataReferenceName } },
          } as const,
        ]),
    ...(start === undefined || start.exampleValue === '' || groupedBy === undefined
      ? []
      : [
          {
            title: `Count the distinct values of ${groupedBy.name} on one date`,
            about: 'Counts the distinct values of fields, and the places, on that date.',
            call: {
              operation: 'getLayerStats',
              request: {
                dataReferenceName,
                observationDate: start.exampleValue,
                dimensions: [groupedBy.name],
              },
            },
          } as const,
        ]),
  ];
}

type Roles = {
  /** The id of the place that a record is about. */
  readonly place: FieldDefinition | undefined;
  readonly start: FieldDefinition | undefined;
  readonly end: FieldDefinition | undefined;
  /** A text that several records can share. */
  readonly group: FieldDefinition | undefined;
};

function rolesOf(fields: readonly FieldDefinition[]): Roles {
  const ofSource = (source: string) => fields.find(({ sourceColumn }) => sourceColumn === source);
  const place = ofSource('feature.feature_id.value');
  const texts = fields.filter(
    (field) => field.type === 'COLUMN_TYPE_STRING' && field !== place && !IS_NAME.test(field.name),
  );
  return {
    place,
    start: ofSource('observation_period.start.value'),
    end: ofSource('observation_period.end.value'),
    group: texts.find(({ name }) => IS_AREA.test(name)) ?? texts[0],
  };
}

/** The description of a dataset does not say whether it has totals. */
const TOTALS =
  'If some records are totals of others, the service refuses to count twice, and says what to filter.';

/** Fields that hardly two records share, and those that many do. */
const IS_NAME = /(^|_)(id|key|name|address|street)s?$/;
const IS_AREA = /(^|_)(city|region|state|county|country|category|type|kind|group)(_|$)/;

/** The measure that can be added up over most. */
function measureOf(fields: readonly FieldDefinition[]): Measure | undefined {
  const measures = fields.flatMap((field) =>
    field.additive === undefined ? [] : [{ field, additive: field.additive }],
  );
  for (const wanted of ['all', 'periods', 'places', 'none'] as const) {
    const found = measures.find(({ additive }) => additive === wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Measure = { readonly field: FieldDefinition; readonly additive: Additive };

/** Sums over what the measure can be added up over; medians of one that cannot. */
function aggregate(
  dataReferenceName: string,
  { field, additive }: Measure,
  { place, start, end, group }: Roles,
): ReadyCall {
  const aggregation = additive === 'none' ? 'MEDIAN' : 'SUM';
  const years = start === undefined ? [] : [{ fieldName: start.name, bucket: 'YEAR' } as const];
  const days = [start, end].flatMap((day) => (day === undefined ? [] : [{ fieldName: day.name }]));
  const places = place === undefined ? [] : [{ fieldName: place.name }];
  const groups = group === undefined ? places : [{ fieldName: group.name }];
  const groupBy = {
    all: years.length > 0 ? years : groups,
    periods: [...places, ...years],
    places: days,
    none: years.length > 0 ? years : groups,
  }[additive];
  const by = groupBy.map(({ fieldName }) => fieldName);
  const words = additive === 'none' ? 'Medians' : 'Sums';
  return grouped({
    title: `${words} of ${field.name}${groupBy.length === 0 ? '' : ` by ${by[0]}`}`,
    about: `${ABOUT_ADDITIVE[additive]} ${TOTALS}`,
    request: {
      dataReferenceName,
      groupBy,
      fields: [...by, { name: field.name, aggregation }],
      recordCount: true,
    },
  });
}

function grouped({
  request,
  ...ready
}: Omit<ReadyCall, 'call'> & { readonly request: ListRecordsRequest }): ReadyCall {
  return {
    ...ready,
    call: {
      operation: 'listRecords',
      request: { ...request, typedValues: true, pageSize: READY_PAGE_SIZE },
    },
  };
}

/** One of two conditions, with values that the dataset has. */
function combineFilters(
  dataReferenceName: string,
  fields: readonly FieldDefinition[],
  group: FieldDefinition | undefined,
): readonly ReadyCall[] {
  const other = fields.find(
    (field) =>
      field !== group &&
      field.exampleValue !== '' &&
      field.filters.supportedOperators.includes('>='),
  );
  if (group === undefined || group.exampleValue === '' || other === undefined) return [];
  return [
    grouped({
      title: 'Combine filters with OR',
      about: 'Each filter has a number, from $0. AND, OR, NOT and parentheses combine them.',
      request: {
        dataReferenceName,
        filters: [
          { fieldName: group.name, operator: '==', value: group.exampleValue },
          { fieldName: other.name, operator: '>=', value: other.exampleValue },
        ],
        filterLogic: '$0 OR $1',
      },
    }),
  ];
}
