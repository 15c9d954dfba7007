import { type Static, Type } from 'typebox';
import { costRows } from './cost-rows.ts';
import { FieldDefinitionSchema, OptionDefinitionsSchema } from './field-definition.ts';
import { closed } from './schema-parts.ts';

/** The answers of the catalog interface. */

const nextPageToken = Type.String({
  description: 'pageToken of the next page; empty on the last one, and only there.',
});
const version = Type.String({ description: 'The data version that the answer comes from.' });

/** unacast.catalog.v3.DataReference */
export const DataReferenceSchema = closed({
  name: Type.String({ examples: ['ml_visitation.places'] }),
  dataProductDisplayName: Type.String(),
  dataProductDescription: Type.String(),
  dataListingDisplayName: Type.String(),
  dataListingDescription: Type.String(),
  fields: Type.Array(FieldDefinitionSchema),
  options: OptionDefinitionsSchema,
  version,
  publishedTime: Type.String({
    format: 'date-time',
    description: 'When the version was published.',
  }),
  rowCount: Type.Integer({ description: 'How many records there are.' }),
  firstObservationDate: Type.Optional(Type.String({ format: 'date' })),
  lastObservationDate: Type.Optional(Type.String({ format: 'date' })),
});
export type DataReference = Static<typeof DataReferenceSchema>;

/** unacast.catalog.v3.ListDataReferencesResponse */
export const ListDataReferencesResponseSchema = closed({
  dataReferences: Type.Array(DataReferenceSchema),
});

/** unacast.catalog.v3.GetDataReferenceResponse */
export const GetDataReferenceResponseSchema = closed({ dataReference: DataReferenceSchema });

/** unacast.catalog.v3.ListRecordsResponse */
export const ListRecordsResponseSchema = closed({
  records: Type.Array(
    closed({
      fields: Type.Record(
        Type.String(),
        Type.Unsafe<string | number | boolean | null>({
          type: ['string', 'number', 'boolean', 'null'],
        }),
        { description: 'The values by field name, as text unless the request says typedValues.' },
      ),
    }),
  ),
  fieldDefinitions: Type.Array(FieldDefinitionSchema, {
    description: 'Definitions of the returned fields, in the order of the values.',
  }),
  nextPageToken,
  totalSize: Type.Integer({ description: 'How many records match in all, the same on each page.' }),
  version,
  costRows,
});

/** unacast.catalog.v3.SearchFieldValuesResponse */
export const SearchFieldValuesResponseSchema = closed({
  values: Type.Array(Type.String()),
  fieldDefinition: FieldDefinitionSchema,
  nextPageToken,
  totalSize: Type.Optional(
    Type.Integer({ description: 'How many values match in all; only with countOnly.' }),
  ),
  version,
  costRows,
});
