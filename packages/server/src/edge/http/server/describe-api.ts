import fastifySwagger from '@fastify/swagger';
import fastifySwaggerUi from '@fastify/swagger-ui';
import { findTags, setTag } from '../answer/answer-tags.ts';
import { type HttpApp, JSON_MEDIA_TYPE } from '../http-app.ts';
import { withPathPrefix } from '../openapi/compose-document.ts';
import type { OpenApiObject } from '../openapi/json-schema.ts';
import { stateOf } from '../request/request-state.ts';

/** The OpenAPI document of the routes at /openapi.json, and a page to read and try it at `page`. */
export async function describeApi(
  app: HttpApp,
  /** Called with the first request for the document, so that no start waits for it. */
  compose: () => OpenApiObject,
  release: string,
  page: '/docs' | '/docs/api',
): Promise<void> {
  let composed: OpenApiObject | undefined;
  const document = (): OpenApiObject => {
    composed ??= compose();
    return composed;
  };
  // The page needs this plugin. The document is generated separately: the plugin would declare every
  // body as required, and does not support named responses.
  await app.register(fastifySwagger, {
    mode: 'static',
    specification: { document: EMPTY },
  });
  app.addHook('onRoute', (route) => {
    // The routes of the page cannot be given options.
    if (!route.url.startsWith(page)) return;
    route.config = { ...route.config, access: 'public' };
    // The plugin redirects to an address without the prefix of the caller.
    if (route.url === `${page}/static/index.html`)
      route.handler = (_request, reply) => reply.redirect('../');
  });
  await app.register(fastifySwaggerUi, {
    routePrefix: page,
    // So that the page names its files by relative addresses, with a slash after it or not.
    indexPrefix: '.',
    transformSpecification: (_specification, request) => ({
      ...EMPTY,
      ...withPathPrefix(document(), stateOf(request).pathPrefix),
    }),
    transformSpecificationClone: false,
    staticCSP: CONTENT_SECURITY_POLICY,
    theme: { title: 'Locmetrics API', css: [{ filename: 'page.css', content: PAGE_STYLE }] },
    uiConfig: {
      // This layout has no input for the address of another document.
      layout: 'BaseLayout',
      deepLinking: true,
      defaultModelsExpandDepth: 0,
      docExpansion: 'list',
      tryItOutEnabled: true,
      persistAuthorization: false,
    },
  });
  const open = { schema: { hide: true }, config: { access: 'public' } } as const;
  app.get('/openapi.json', open, async (request, reply) => {
    const text = JSON.stringify(withPathPrefix(document(), stateOf(request).pathPrefix));
    const tags = findTags(request, release, [text]);
    if (tags.held === undefined) reply.type(JSON_MEDIA_TYPE);
    setTag(request, reply, tags);
    return tags.held === undefined ? text : reply.code(304).send();
  });
}

/** The types of the plugin require these members; the generated document replaces all of them. */
const EMPTY = { openapi: '', info: { title: '', version: '' }, paths: {} };

/** The page loads nothing from other hosts, and may only send requests to this service. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE_STYLE =
  '.swagger-ui .info { margin: 24px 0 } .swagger-ui .scheme-container { padding: 12px 0 }';
