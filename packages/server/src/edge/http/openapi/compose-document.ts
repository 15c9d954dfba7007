import { ProblemSchema } from '@locmetrics/contract';
import type { DescribedRoute } from './collect-routes.ts';
import { describeOperation, type Example } from './describe-operation.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { type OpenApiObject, toJsonSchema } from './json-schema.ts';
import { nameSchemas } from './name-schemas.ts';
import { describeRefusals } from './refusals.ts';

/**
 * The OpenAPI 3.1 document of the routes. Its examples are answers of the sample, which
 * `described-examples.test.ts` writes and checks.
 */
export function composeDocument(version: string, routes: readonly DescribedRoute[]): OpenApiObject {
  const { refer, schemas } = nameSchemas();
  const problem = refer(toJsonSchema(ProblemSchema));
  const answers: Readonly<Record<string, Example>> = EXAMPLES.answers;
  const problems: Readonly<Record<string, unknown>> = EXAMPLES.problems;
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const example = answers[route.operationId];
    const methods = paths[route.path] ?? {};
    methods[route.method] = describeOperation(route, { refer, example });
    paths[route.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Locmetrics',
      version,
      description:
        'Location metrics on demand: the records of datasets of places, areas and measures, and the values of metrics as time series. Send `Authorization: Bearer <token>` with every request. The examples are requests to the sample of `npm start`, and its answers; long lists are cut to two items. Each GET also answers HEAD, with the same status and headers and without a body (RFC 9110, section 9.3.2). HEAD is not listed as an operation, because generated clients would get methods that return nothing.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: SERVER }],
    security: [{ token: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token that `locmetrics token create` printed, or that the owner of the data gave you.',
        },
      },
      schemas,
      responses: describeRefusals(problem, (status) => problems[status]),
    },
  };
}

/** The document for callers that reach the service below a path, such as `/metrics-data`. */
export function withPathPrefix(document: OpenApiObject, pathPrefix: string): OpenApiObject {
  if (pathPrefix === '') return document;
  return { ...document, servers: [{ url: pathPrefix, description: SERVER }] };
}

const SERVER = 'The service that publishes this document.';

/** The names are those of the scopes where there is one; viewers show the display names. */
const TAGS = [
  {
    name: 'caller',
    'x-displayName': 'Your token',
    description:
      'Which organisation your token belongs to, what it may be used for, when it expires, and which limits apply. Start here: `GET /v1/caller` works with every token. The other call signs in the explorer with a link.',
  },
  {
    name: 'catalog',
    'x-displayName': 'Datasets and records',
    description:
      'Datasets (also called data references), their records, the distinct values of their fields, and map tiles. The token needs the scope `catalog`.',
  },
  {
    name: 'metrics',
    'x-displayName': 'Metrics',
    description:
      'Time series of values for places or areas, and the catalogs, metrics, layers, features, components and dimensions that a request for them can name. The token needs the scope `metrics`.',
  },
  {
    name: 'usage',
    'x-displayName': 'Usage',
    description:
      'How many requests an organisation has made, and how many rows and bytes it got, for bills and budgets. The token needs the scope `usage`, or `admin` for the usage of all organisations.',
  },
  {
    name: 'admin',
    'x-displayName': 'Administration',
    description:
      'Organisations, tokens, grants, limits, the audit log, versions, and explanations and previews of requests. All of it needs a token with the scope `admin`.',
  },
] as const;
