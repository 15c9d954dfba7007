import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, mapSchema } from './json-schema.ts';

export type SchemaNames = {
  /** Replaces each schema with a title by a reference, including the schema itself. */
  readonly refer: (schema: JsonSchema) => JsonSchema;
  /** The referenced schemas, by title. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
};

/** Extracts schemas with titles as components of the OpenAPI document. */
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
