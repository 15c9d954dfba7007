import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import type { AnswerUnlessHeld } from './answer-unless-held.ts';
import { type HttpApp, JSON_MEDIA_TYPE } from './http-app.ts';

/** The OpenAPI 3.1 document at /openapi.json and a readable page of it at /docs. */
export async function describeApi(
  app: HttpApp,
  version: string,
  answerUnlessHeld: AnswerUnlessHeld,
): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Locmetrics',
        version,
        description:
          'Location metrics on demand: datasets of places, areas and measures, their records and the distinct values of their fields. Every call carries `Authorization: Bearer <token>`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'catalog', description: 'Datasets, records and distinct values.' },
        { name: 'metrics', description: 'Time series of the values of a metric.' },
        { name: 'usage', description: 'What was used, for bills and budgets.' },
        {
          name: 'admin',
          description:
            'Organisations, tokens, grants, limits and the audit log, for tokens of the scope `admin`.',
        },
      ],
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'A token made by `locmetrics token create`.',
          },
        },
      },
      security: [{ token: [] }],
    },
  });
  await app.register(fastifySwaggerUi, {
    routePrefix: '/docs',
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: { title: 'Locmetrics API', css: [{ filename: 'page.css', content: PAGE_STYLE }] },
    uiConfig: {
      // Without the bar that asks for the address of another document.
      layout: 'BaseLayout',
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      docExpansion: 'list',
      tryItOutEnabled: true,
      persistAuthorization: false,
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    const text = JSON.stringify(app.swagger());
    const make = async (): Promise<string> => {
      reply.type(JSON_MEDIA_TYPE);
      return text;
    };
    return answerUnlessHeld({ request, reply }, { fingerprint: text, make });
  });
}

/** The page needs nothing from any other host, and may ask only this service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE_STYLE =
  '.swagger-ui .info { margin: 24px 0 } .swagger-ui .scheme-container { padding: 12px 0 }';

/** The addresses that answer without a token, by the address of their route. */
export function isPublicRoute(url: string | undefined): boolean {
  if (url === undefined) return false;
  return PUBLIC_ROUTES.has(url) || url === '/docs' || url.startsWith('/docs/');
}

const PUBLIC_ROUTES: ReadonlySet<string> = new Set(['/livez', '/readyz', '/openapi.json']);
