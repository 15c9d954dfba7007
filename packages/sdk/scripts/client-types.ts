/** An OpenAPI document, as far as it is read here. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/**
 * The generated files of the client: the types of requests and answers, the tables of operations, and the reasons of
 * errors. All but the last are made from the OpenAPI document of the service; the admin interface has files of its
 * own, so that the client of callers does not load its table. An operation that needs no token is left out,
 * because a client has one; and so is a map tile, which a map loads itself. The operations that return a whole result
 * in a format have a table of their own, because their answers are no JSON.
 *
 * openapi-typescript 7 is no replacement. It writes 388 kB instead of 96, in one file for callers and administrators; it
 * refuses `undefined` for an absent optional field with `exactOptionalPropertyTypes`; its types of bodies with two forms
 * do not say which is the preferred one; it uses `Record`, which the contract has as a message; it writes no table of
 * methods and paths; and it needs a second TypeScript, because it uses the compiler API of version 5.
 */
export function clientTypes(
  { paths, components: { schemas } }: ApiDocument,
  reasons: readonly string[],
): GeneratedFiles {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.security === undefined)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const isAdmin = ({ path }: DescribedOperation) => path.startsWith('/v1/admin/');
  const allForCallers = described.filter(
    (one) => !isAdmin(one) && one.operation.tags?.some((tag) => CALLERS_TAGS.includes(tag)),
  );
  const forCallers = allForCallers.filter(answersJson);
  const forAdmins = described.filter((one) => isAdmin(one) && answersJson(one));
  const streams = streamsOf(allForCallers);
  const callersNames = namesOf([...forCallers, ...streams], schemas).add('Problem');
  collect({ $ref: `${REFERENCE}Problem` }, schemas, callersNames);
  const adminsNames = namesOf(forAdmins, schemas).difference(callersNames);
  return {
    'schemas.ts': `${HEAD}${schemaTypes(callersNames, schemas)}`,
    'operations.ts': operationsFile(forCallers, {
      type: 'Operations',
      table: 'OPERATIONS',
      imports: [{ path: './schemas.ts', names: callersNames }],
    }),
    'stream-operations.ts': operationsFile(streams, {
      type: 'StreamOperations',
      table: 'STREAM_OPERATIONS',
      imports: [{ path: './schemas.ts', names: callersNames }],
    }),
    'admin-schemas.ts': [
      HEAD,
      importOf('./schemas.ts', referencesOf(adminsNames, schemas).intersection(callersNames)),
      schemaTypes(adminsNames, schemas),
    ].join(''),
    'admin-operations.ts': operationsFile(forAdmins, {
      type: 'AdminOperations',
      table: 'ADMIN_OPERATIONS',
      imports: [
        { path: './admin-schemas.ts', names: adminsNames },
        { path: './schemas.ts', names: callersNames },
      ],
    }),
    'reasons.ts': [
      HEAD,
      '/** The reasons of errors that were known when the client was made. */\n',
      'export type Reason =\n',
      ...reasons.toSorted().map((reason) => `  | '${reason}'\n`),
    ]
      .join('')
      .replace(/\n$/, ';\n'),
  };
}

export type GeneratedFiles = Readonly<
  Record<
    | 'schemas.ts'
    | 'operations.ts'
    | 'stream-operations.ts'
    | 'admin-schemas.ts'
    | 'admin-operations.ts'
    | 'reasons.ts',
    string
  >
>;

type DescribedOperation = {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
};

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
};

type Media = { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };

type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  /** Only if it differs from that of the document. */
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Media>>;
};

const CALLERS_TAGS: readonly string[] = ['caller', 'catalog', 'metrics', 'usage'];
/** `…/records.csv`, but not `…/{y}.mvt`. */
const STREAM_PATH = /^(.*\/\w+)\.(\w+)$/;
const REFERENCE = '#/components/schemas/';
const HEAD = '// Made from the contract by `npm run generate`. Do not edit.\n\n';

/** The preferred form of a body comes first; the other forms are for callers without a client. */
function bodyOf({ requestBody }: Operation): Schema | undefined {
  const schema = requestBody?.content['application/json']?.schema;
  return schema?.anyOf?.[0] ?? schema;
}

function answersJson({ operation: { responses } }: DescribedOperation): boolean {
  return responses['200']?.content['application/json'] !== undefined;
}

/**
 * The operations that return a whole result. For the client, `records.csv` and `records.ndjson` are one operation with a
 * format in its path. If the request can be a body, it is one, because its length is not limited.
 */
function streamsOf(operations: readonly DescribedOperation[]): readonly DescribedOperation[] {
  const inFormats = operations
    .filter((one) => !answersJson(one))
    .flatMap((one) => {
      const [, before, format] = STREAM_PATH.exec(one.path) ?? [];
      return before === undefined || format === undefined ? [] : [{ ...one, before, format }];
    });
  return [...Map.groupBy(inFormats, ({ before }) => before)].flatMap(([before, group]) => {
    const one = group.find(({ operation }) => bodyOf(operation) !== undefined) ?? group[0];
    if (one === undefined) return [];
    const { operation, format, method } = one;
    const formats = [...new Set(group.map((each) => each.format))];
    const parameter = {
      name: 'format',
      in: 'path',
      required: true,
      description: 'The format of the answer.',
      schema: { enum: formats },
    };
    return {
      path: `${before}.{format}`,
      method,
      operation: {
        ...operation,
        operationId: operation.operationId.replace(new RegExp(`${format}(ByBody)?$`, 'i'), ''),
        summary: operation.summary.replace(/ as .*/, ''),
        parameters: [...(operation.parameters ?? []), parameter],
      },
    };
  });
}

function answerOf({ responses }: Operation): Schema {
  return responses['200']?.content['application/json']?.schema ?? {};
}

/** The names of the schemas of operations, and those that these refer to. */
function namesOf(
  operations: readonly DescribedOperation[],
  schemas: ApiDocument['components']['schemas'],
): Set<string> {
  const named = new Set<string>();
  for (const { operation } of operations) {
    for (const schema of [bodyOf(operation), answerOf(operation)]) collect(schema, schemas, named);
  }
  return named;
}

/** The names that these schemas refer to themselves. */
function referencesOf(
  names: ReadonlySet<string>,
  schemas: ApiDocument['components']['schemas'],
): Set<string> {
  const written = JSON.stringify([...names].map((name) => schemas[name]));
  return new Set([...written.matchAll(/"\$ref":"([^"]+)"/g)].map(([, to = '']) => nameOf(to)));
}

function schemaTypes(
  names: ReadonlySet<string>,
  schemas: ApiDocument['components']['schemas'],
): string {
  return [...names]
    .toSorted()
    .map((name) => {
      const schema = schemas[name] ?? {};
      return `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')};\n`;
    })
    .join('\n');
}

/** The types of the requests and answers of operations, and a table of their methods and paths. */
function operationsFile(
  operations: readonly DescribedOperation[],
  {
    type,
    table,
    imports,
  }: {
    readonly type: string;
    readonly table: string;
    readonly imports: readonly { readonly path: string; readonly names: ReadonlySet<string> }[];
  },
): string {
  const used = new Set(
    operations.flatMap(({ operation }) =>
      [bodyOf(operation), answerOf(operation)].flatMap((schema) =>
        schema?.$ref === undefined ? [] : [nameOf(schema.$ref)],
      ),
    ),
  );
  return [
    HEAD,
    ...imports.map(({ path, names }) => importOf(path, used.intersection(names))),
    `export type ${type} = {\n`,
    ...operations.map(({ operation }) => operationType(operation)),
    '};\n\n',
    '/** The method and the path of each operation. */\n',
    `export const ${table} = {\n`,
    ...operations.map(
      ({ path, method, operation }) => `  ${operation.operationId}: ['${method}', '${path}'],\n`,
    ),
    '} as const;\n',
  ].join('');
}

function importOf(path: string, names: ReadonlySet<string>): string {
  if (names.size === 0) return '';
  const lines = [...names].toSorted().map((name) => `  ${name},\n`);
  return `import type {\n${lines.join('')}} from '${path}';\n\n`;
}

function nameOf(reference: string): string {
  return reference.slice(REFERENCE.length);
}

/** Adds the names that a schema refers to, and those that these refer to. */
function collect(
  schema: Schema | undefined,
  schemas: ApiDocument['components']['schemas'],
  named: Set<string>,
): void {
  if (schema === undefined) return;
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    const isNew = !named.has(name) || name === 'Problem';
    named.add(name);
    const target = schemas[name];
    if (target === undefined) throw new Error(`The document has no schema ${name}.`);
    if (isNew) collect(target, schemas, named);
  }
  const { items, anyOf = [], properties = {}, additionalProperties } = schema;
  collect(items, schemas, named);
  for (const member of [...anyOf, ...Object.values(properties)]) collect(member, schemas, named);
  if (typeof additionalProperties === 'object') collect(additionalProperties, schemas, named);
}

function operationType(operation: Operation): string {
  const { operationId, summary, parameters = [] } = operation;
  const body = bodyOf(operation);
  const partOf = (place: string) => {
    const members = parameters.filter((parameter) => parameter.in === place);
    return members.length === 0
      ? '{}'
      : typeOf(
          {
            type: 'object',
            properties: Object.fromEntries(
              members.map(({ name, description, schema }) => [
                name,
                { ...schema, ...(description === undefined ? {} : { description }) },
              ]),
            ),
            required: members.filter(({ required }) => required).map(({ name }) => name),
          },
          '    ',
        );
  };
  return [
    `${comment({ description: `${summary}.` }, '  ')}  readonly ${operationId}: {\n`,
    `    readonly path: ${partOf('path')};\n`,
    `    readonly query: ${partOf('query')};\n`,
    `    readonly body: ${body === undefined ? 'undefined' : typeOf(body, '    ')};\n`,
    `    readonly answer: ${typeOf(answerOf(operation), '    ')};\n`,
    '  };\n',
  ].join('');
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((branch) => typeOf(branch, indent)).join(' | ');
  }
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return 'unknown';
  return types.map((type) => plainType(type, schema, indent)).join(' | ');
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `readonly ${grouped(typeOf(schema.items ?? {}, indent))}[]`;
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`The generator does not know the type ${type}.`);
  }
}

function objectType(
  { properties, required = [], additionalProperties }: Schema,
  indent: string,
): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? additionalProperties : {};
    // Not `Record`, because the contract has a message of this name.
    return `{ readonly [name: string]: ${typeOf(values, indent)} }`;
  }
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const type = typeOf(member, inner);
    // Callers may pass undefined for absent, also with exactOptionalPropertyTypes.
    const typed = required.includes(name) ? `: ${type}` : `?: ${type} | undefined`;
    return `${comment(member, inner)}${inner}readonly ${name}${typed};\n`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}

function grouped(type: string): string {
  const isPart = type.includes(' | ') || type.startsWith('readonly ');
  return isPart && !type.startsWith('{') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function comment({ description }: Schema, indent: string): string {
  return description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '')} */\n`;
}
