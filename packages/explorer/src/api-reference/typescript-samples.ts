import { type CodeStyle, valueCode, writeCode } from '../calls/code.ts';
import { quoteTypeScript } from '../calls/quote.ts';

/** The parts of the OpenAPI document that an example is made of. */
export type DescribedApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
};

type DescribedOperation = {
  readonly operationId: string;
  readonly parameters?: readonly DescribedParameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>;
  };
  readonly 'x-codeSamples'?: readonly CodeSample[];
};

type DescribedParameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
};

/** An example that the viewer offers besides those that it writes itself. */
type CodeSample = {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
};

/** The document with an example for the TypeScript client in each operation that the client has. */
export function withTypeScriptSamples<Api extends DescribedApi>(api: Api, url: string): Api {
  const paths = Object.entries(api.paths).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const source = typescriptSample(api, { path, operation, url });
        if (source === undefined) return [method, operation];
        const sample: CodeSample = { lang: 'typescript', label: 'TypeScript client', source };
        return [method, { ...operation, 'x-codeSamples': [sample] }];
      }),
    ),
  ]);
  return { ...api, paths: Object.fromEntries(paths) };
}

/** A program that calls the operation; undefined if the client has no method for it. */
function typescriptSample(
  api: DescribedApi,
  {
    path,
    operation,
    url,
  }: {
    readonly path: string;
    readonly operation: DescribedOperation;
    readonly url: string;
  },
): string | undefined {
  const { operationId } = operation;
  if (WITHOUT_METHOD.has(operationId)) return undefined;
  const method = operationId.replace(BY_BODY, '').replace(STREAM, '$1');
  const client = path.startsWith('/v1/admin/') ? ADMIN_CLIENT : CALLER_CLIENT;
  const { imports, answer, closing, reading } = formOf(path, operationId);
  const opening = `${answer}${client.name}.${method}(`;
  const argument = argumentOf(api, { operation, ofClient: client.sent });
  const code =
    argument === undefined
      ? ''
      : writeCode(valueCode(argument, STYLE), { before: opening.length, after: closing.length });
  return [
    ...imports,
    `import { ${client.create} } from '${client.module}';`,
    '',
    `const ${client.name} = ${client.create}({`,
    `  url: ${quoteTypeScript(url)},`,
    ...client.options,
    '});',
    `${opening}${code}${closing}`,
    reading,
  ].join('\n');
}

/** The code around a call, which prints its answer, or saves it as a file. */
function formOf(
  path: string,
  operationId: string,
): {
  readonly imports: readonly string[];
  readonly answer: string;
  readonly closing: string;
  readonly reading: string;
} {
  if (!STREAM.test(operationId)) {
    const answer = 'const answer = await ';
    return { imports: [], answer, closing: ');', reading: 'console.log(answer);' };
  }
  const format = path.slice(path.lastIndexOf('.') + 1);
  if (format === 'ndjson') {
    const reading = 'for await (const row of rows) console.log(row);';
    return { imports: [], answer: 'const rows = ', closing: ');', reading };
  }
  return {
    imports: [
      "import { createWriteStream } from 'node:fs';",
      "import { pipeline } from 'node:stream/promises';",
    ],
    answer: 'const { body } = await ',
    closing: `).download(${quoteTypeScript(format)});`,
    reading: `await pipeline(body, createWriteStream(${quoteTypeScript(`rows.${format}`)}));`,
  };
}

/** A link is used by a browser, and a tile by a map. */
const WITHOUT_METHOD: ReadonlySet<string> = new Set(['signIn', 'readTile', 'readLayerTile']);
/** The client sends a request in the URL or in the body, whichever fits. */
const BY_BODY = /ByBody$/;
/** A whole result, in the format at the end. The client has a method for all formats. */
const STREAM = /^(stream(?:Records|MetricValues))[A-Z][a-z]+/;

const CALLER_CLIENT = {
  name: 'client',
  create: 'createClient',
  module: '@locmetrics/client',
  options: [
    "  token: process.env.LOCMETRICS_TOKEN ?? '',",
    '  billingContext: process.env.LOCMETRICS_ORG,',
  ],
  sent: ['billingContext'],
} as const;
const ADMIN_CLIENT = {
  name: 'admin',
  create: 'createAdminClient',
  module: '@locmetrics/client/admin',
  options: ["  token: process.env.LOCMETRICS_ADMIN_TOKEN ?? '',"],
  sent: [],
} as const;

const STYLE: CodeStyle = {
  quote: quoteTypeScript,
  name: (name) => `${name}: `,
  group: { pad: ' ', isCommaLast: true, indent: 2 },
};

/** The required parameters and the example of the body together; undefined if there are none. */
function argumentOf(
  api: DescribedApi,
  {
    operation,
    ofClient,
  }: {
    readonly operation: DescribedOperation;
    /** Members that the client adds to the request. */
    readonly ofClient: readonly string[];
  },
): unknown {
  const body = bodyOf(operation) ?? bodyOf(inBody(api, operation)) ?? {};
  if (operation.operationId === 'getDataReference') return body['name'];
  const parameters = (operation.parameters ?? [])
    .filter(({ required }) => required === true)
    .map(({ name, example }): [string, unknown] => [name, example ?? placeholder(name)]);
  if (operation.operationId.startsWith('streamRecords')) return parameters[0]?.[1];
  const members = [...parameters, ...Object.entries(body)];
  const request = members.filter(([name]) => !ofClient.includes(name));
  return request.length === 0 ? undefined : Object.fromEntries(request);
}

/** The same operation with a body. The client takes the request in this form. */
function inBody(api: DescribedApi, { operationId }: DescribedOperation) {
  return Object.values(api.paths)
    .flatMap((methods) => Object.values(methods))
    .find((other) => other.operationId === `${operationId}ByBody`);
}

function bodyOf(
  operation: DescribedOperation | undefined,
): Readonly<Record<string, unknown>> | undefined {
  const example = operation?.requestBody?.content['application/json']?.example;
  return typeof example === 'object' && example !== null ? { ...example } : undefined;
}

/** `tokenId` becomes `TOKEN_ID`. */
function placeholder(name: string): string {
  return name.replace(/(?=[A-Z])/g, '_').toUpperCase();
}
