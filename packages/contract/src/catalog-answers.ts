import { type Static, Type } from 'typebox';
import { CalendarDateSchema } from './calendar-date-schema.ts';
import { FieldDefinitionSchema, OptionDefinitionsSchema } from './field-definition.ts';
import { costRows, nextPageToken } from './paging.ts';
import { closed } from './schema-parts.ts';

/** The answers of the catalog interface. */

const version = Type.String({ description: 'The data version that the answer comes from.' });

/** unacast.catalog.v3.DataReference */
export const DataReferenceSchema = closed(
  {
    name: Type.String({ examples: ['ml_visitation.places'] }),
    dataProductDisplayName: Type.String(),
    dataProductDescription: Type.String(),
    dataListingDisplayName: Type.String(),
    dataListingDescription: Type.String(),
    fields: Type.Array(FieldDefinitionSchema),
    options: OptionDefinitionsSchema,
    dateRange: Type.Optional(
      closed(
        { start: Type.Optional(CalendarDateSchema), end: Type.Optional(CalendarDateSchema) },
        {
          title: 'DateRange',
          description: 'The first and the last day of the records that the caller may see.',
        },
      ),
    ),
    cadence: Type.Optional(
      Type.String({ description: 'How often a period starts.', examples: ['MONTHLY'] }),
    ),
    processingCadence: Type.Optional(
      Type.String({ description: 'How often new data is produced.', examples: ['MONTHLY'] }),
    ),
    processingLagDays: Type.Optional(
      Type.Integer({ description: 'The days between the end of a period and its data.' }),
    ),
    updateTime: Type.String({
      format: 'date-time',
      description: 'When the version was published.',
    }),
    version,
    publishedTime: Type.String({
      format: 'date-time',
      description: 'When the version was published.',
    }),
    rowCount: Type.Integer({ description: 'How many records the caller may see.' }),
    firstObservationDate: Type.Optional(Type.String({ format: 'date' })),
    lastObservationDate: Type.Optional(Type.String({ format: 'date' })),
  },
  { title: 'DataReference' },
);
export type DataReference = Static<typeof DataReferenceSchema>;

/** unacast.catalog.v3.ListDataReferencesResponse */
export const ListDataReferencesResponseSchema = closed(
  { dataReferences: Type.Array(DataReferenceSchema) },
  { title: 'ListDataReferencesResponse' },
);

/** unacast.catalog.v3.GetDataReferenceResponse */
export const GetDataReferenceResponseSchema = closed(
  { dataReference: DataReferenceSchema },
  { title: 'GetDataReferenceResponse' },
);

const RecordSchema = closed(
  {
    fields: Type.Record(
      Type.String(),
      Type.Unsafe<string | number | boolean | null>({
        type: ['string', 'number', 'boolean', 'null'],
      }),
      { description: 'The values by field name. All are text unless the request has typedValues.' },
    ),
    withheld: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The fields whose value is withheld from the caller, not absent. Only with typedValues, of fields whose owner marks withheld values.',
        examples: [['visits']],
      }),
    ),
  },
  { title: 'Record' },
);

/** unacast.catalog.v3.ListRecordsResponse */
export const ListRecordsResponseSchema = closed(
  {
    records: Type.Array(RecordSchema),
    fieldDefinitions: Type.Array(FieldDefinitionSchema, {
      description: 'The definitions of the returned fields, in the order of the values.',
    }),
    nextPageToken,
    totalSize: Type.Integer({
      description: 'How many records match in total. It is the same on each page.',
    }),
    version,
    costRows,
  },
  { title: 'ListRecordsResponse' },
);

/** unacast.catalog.v3.SearchFieldValuesResponse */
export const SearchFieldValuesResponseSchema = closed(
  {
    values: Type.Array(Type.String()),
    fieldDefinition: FieldDefinitionSchema,
    nextPageToken,
    totalSize: Type.Optional(
      Type.Integer({ description: 'How many values match in total. Only with countOnly.' }),
    ),
    version,
    costRows,
  },
  { title: 'SearchFieldValuesResponse' },
);

/** unacast.catalog.v3alpha.ListRecordsStatisticsResponse */
export const ListRecordsStatisticsResponseSchema = closed(
  {
    statistics: Type.Array(
      closed(
        {
          observationDate: Type.String({
            format: 'date',
            description: 'The first day of the period of the records.',
          }),
          totalRows: Type.Integer({ description: 'The number of records.' }),
          uniqueLocationIds: Type.Integer({ description: 'The number of distinct places.' }),
        },
        { title: 'RecordsStatistics' },
      ),
      { description: 'Each observation date with a record, by ascending date.' },
    ),
  },
  { title: 'ListRecordsStatisticsResponse' },
);

/** unacast.catalog.v3alpha.GetLayerStatsResponse */
export const GetLayerStatsResponseSchema = closed(
  {
    locationCount: Type.Integer({ description: 'The number of distinct places.' }),
    stats: Type.Array(
      closed(
        {
          name: Type.String({ description: 'The name of the field.' }),
          distinctCount: Type.Integer({
            description: 'The number of its distinct values; absent values are not counted.',
          }),
        },
        { title: 'LayerStat' },
      ),
      { description: 'The counts of the fields, in the order of the request.' },
    ),
  },
  { title: 'GetLayerStatsResponse' },
);
