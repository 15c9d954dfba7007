/**
 * In the path of a route `:name` is a parameter, `::` a colon and `*` any rest. Before a colon, a parameter needs a
 * pattern, `:name([^/]+)::`, because Fastify would read the colons as a part of its name. Fastify lists the methods
 * of a route, but not the methods that match the path of a request.
 */
export const PATH_PARTS = /::|:(\w+)(?:\(\[\^\/\]\+\))?|\*|[.+?^${}()|[\]\\]/g;

/** The path of a route in the notation of OpenAPI, for example `/v1/catalogs/{catalogId}`. */
export function showPath(url: string): string {
  return url.replaceAll(PATH_PARTS, (part, name?: string) => {
    if (name !== undefined) return `{${name}}`;
    return part === '::' ? ':' : part;
  });
}
