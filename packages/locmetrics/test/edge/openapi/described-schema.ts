import { memoize } from '@locmetrics/core/runtime/memoize';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The parts of an OpenAPI document that tests read. */
export type ApiDocument = {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, ApiSchema>>;
    readonly responses: Readonly<Record<string, ApiContent>>;
  };
};

export type ApiOperation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly requestBody?: ApiContent & { readonly required: boolean };
  readonly parameters?: readonly ApiParameter[];
  readonly responses: Readonly<Record<string, ApiContent & { readonly $ref?: string }>>;
};

export type ApiParameter = {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: ApiSchema;
  readonly example?: unknown;
};

export type ApiContent = {
  readonly content?: Readonly<
    Record<string, { readonly schema: ApiSchema; readonly example?: unknown }>
  >;
};

export type ApiSchema = {
  readonly $ref?: string;
  readonly anyOf?: readonly ApiSchema[];
  readonly properties?: Readonly<Record<string, ApiSchema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
};

/** Every operation of the document, with its address. */
export function operationsOf({ paths }: ApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );
}

/** The errors of a value by a schema of the document. Empty if it is valid. */
export function schemaErrors(
  document: ApiDocument,
  schema: ApiSchema | undefined,
): (value: unknown) => string {
  if (schema === undefined) throw new Error('The document has no such schema.');
  const { ajv, compile } = validatorOf(document);
  const validate = compile(inDocument(JSON.stringify(schema)));
  return (value) => (validate(value) ? '' : ajv.errorsText(validate.errors));
}

/**
 * The schemas of a document are compiled once for all that refer to them, and without optimisation: that would take longer
 * than all validations.
 */
const validatorOf = memoize(({ components }: ApiDocument) => {
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  ajv.addSchema({ $id: DOCUMENT, components });
  return { ajv, compile: memoize((schema: string) => ajv.compile(JSON.parse(schema)), 1000) };
});

const DOCUMENT = 'openapi.json';

/** A schema with references into the document, as a schema outside it. */
function inDocument(schema: string): string {
  return schema.replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
}

/** The schema behind a reference of the document, or the schema itself. */
export function resolveSchema({ components }: ApiDocument, schema: ApiSchema): ApiSchema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  return components.schemas[name] ?? {};
}
