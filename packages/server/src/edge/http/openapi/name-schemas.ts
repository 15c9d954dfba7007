import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, mapSchema } from './json-schema.ts';

export type SchemaNames = {
  /** The schema with a reference in place of each schema in it that has a title, itself too. */
  readonly refer: (schema: JsonSchema) => JsonSchema;
  /** The schemas that were referred to, by their titles. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
};

/** Takes schemas with titles out of others, as components of the OpenAPI document. */
export function nameSchemas(): SchemaNames {
  const schemas: Record<string, JsonSchema> = {};
  const refer = (schema: JsonSchema): JsonSchema =>
    mapSchema(schema, (node) => {
      if (node.title === undefined) return node;
      const { title, ...named } = node;
      const known = schemas[title];
      if (known !== undefined && !isDeepStrictEqual(known, named)) {
        throw new Error(`Two schemas have the title ${title}.`);
      }
      schemas[title] = named;
      return { $ref: `#/components/schemas/${title}` };
    });
  return { refer, schemas };
}
