import { findTags, setTag } from '../answer/answer-tags.ts';
import { type HttpApp, JSON_MEDIA_TYPE } from '../http-app.ts';
import { withPathPrefix } from '../openapi/compose-document.ts';
import type { OpenApiObject } from '../openapi/json-schema.ts';
import { stateOf } from '../request/request-state.ts';

/** The OpenAPI document of the routes, at /openapi.json. */
export function describeApi(
  app: HttpApp,
  /** Called with the first request for the document, so that no start waits for it. */
  compose: () => OpenApiObject,
  release: string,
): void {
  let document: OpenApiObject | undefined;
  const open = { config: { access: 'public' } } as const;
  app.get('/openapi.json', open, async (request, reply) => {
    document ??= compose();
    const text = JSON.stringify(withPathPrefix(document, stateOf(request).pathPrefix));
    const tags = findTags(request, release, [text]);
    if (tags.held === undefined) reply.type(JSON_MEDIA_TYPE);
    setTag(request, reply, tags);
    return tags.held === undefined ? text : reply.code(304).send();
  });
}
