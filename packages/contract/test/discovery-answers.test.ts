import type { DescField, DescMessage } from '@bufbuild/protobuf';
import * as contract from '@locmetrics/contract';
import { catalogV1, mapsV1, unatype } from '@locmetrics/contract/grpc';
import { expect, test } from 'vitest';

/** An answer in JSON has the fields of its message, with their types, and no others. */
test.each([
  [contract.ListCatalogsResponseSchema, catalogV1.ListCatalogsResponseSchema],
  [contract.ListMetricsResponseSchema, catalogV1.ListMetricsResponseSchema],
  [contract.GetMetricResponseSchema, catalogV1.GetMetricResponseSchema],
  [contract.GetLayerResponseSchema, catalogV1.GetLayerResponseSchema],
  [contract.SearchLayerFeaturesResponseSchema, catalogV1.SearchLayerFeaturesResponseSchema],
  [contract.ListAddressComponentsResponseSchema, mapsV1.ListAddressComponentsResponseSchema],
  [
    contract.SearchAddressComponentValuesResponseSchema,
    catalogV1.SearchAddressComponentValuesResponseSchema,
  ],
  [contract.SearchDimensionValuesResponseSchema, catalogV1.SearchDimensionValuesResponseSchema],
])('%#: the schema is that of the message', (schema, message) => {
  expect(shapeOf(schema)).toEqual(shapeOfMessage(message));
});

type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
};

function shapeOf(schema: object): unknown {
  // The schemas of the contract are plain JSON Schema.
  const { type, enum: names, properties, items } = schema as Schema;
  if (properties !== undefined) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, member]) => [name, shapeOf(member)]),
    );
  }
  if (items !== undefined) return [shapeOf(items)];
  return names === undefined ? type : names;
}

function shapeOfMessage({ typeName, fields }: DescMessage): unknown {
  // Dates have no time of the day in JSON.
  const shown = typeName === unatype.DateSchema.typeName ? fields.slice(0, 3) : fields;
  return Object.fromEntries(
    shown.map((field) =>
      field.fieldKind === 'list'
        ? [`${field.jsonName}List`, [shapeOfField(field)]]
        : [field.jsonName, shapeOfField(field)],
    ),
  );
}

function shapeOfField({ message, enum: names, scalar }: DescField): unknown {
  if (message !== undefined) return shapeOfMessage(message);
  if (names !== undefined) {
    return names.values.map(({ name }) => name.slice((names.sharedPrefix ?? '').length));
  }
  return TYPE_OF[scalar ?? 0];
}

/** The types of JSON by the scalar types of protobuf. */
const TYPE_OF: Readonly<Record<number, string>> = {
  1: 'number',
  2: 'number',
  3: 'integer',
  5: 'integer',
  8: 'boolean',
  9: 'string',
};
