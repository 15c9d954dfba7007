import fastifyStatic from '@fastify/static';
import type { HttpApp } from '../http-app.ts';

/** The pages that were built: the explorer and the API reference. */
export type BuiltPages = {
  readonly folder: string;
  /** Whether the explorer is served. The API reference always is. */
  readonly explorer: boolean;
  /** The URL of a style for the maps of the explorer. The page finds it in the header `Map-Style` of its own address. */
  readonly mapStyle?: string | undefined;
};

/**
 * Serves the explorer at `/` and the API reference at `/docs/api/`: pages with their scripts. The files are public: the
 * pages read data with the token of their reader. They are compressed already, so that serving them costs little.
 */
export async function servePages(
  app: HttpApp,
  { pages, basePath }: { readonly pages: BuiltPages; readonly basePath: string },
): Promise<void> {
  if (basePath !== '') redirectToFolder(app, basePath);
  redirectToFolder(app, API_REFERENCE);
  const explorerPolicy = contentSecurityPolicy(EXPLORER_STYLES, pages.mapStyle);
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      // The routes of the plugin cannot be given options.
      route.config = { ...route.config, access: 'public' };
    });
    await scope.register(fastifyStatic, {
      root: pages.folder,
      // A route for each file: an unknown address is refused like everywhere.
      wildcard: false,
      globIgnore: ['**/*.{br,gz}', 'built-from', ...(pages.explorer ? [] : ['index.html'])],
      dotfiles: 'ignore',
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      acceptRanges: false,
      setHeaders(reply, path) {
        // The names of assets contain hashes of what they are.
        const isAsset = path.includes('/assets/');
        reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
        if (isAsset) return;
        // The path may be that of a compressed copy.
        const isReference = path.includes(`${API_REFERENCE}/index.html`);
        reply.header('content-security-policy', isReference ? REFERENCE_POLICY : explorerPolicy);
        if (!isReference && pages.mapStyle !== undefined) {
          reply.header('map-style', pages.mapStyle);
        }
        for (const [name, value] of Object.entries(PAGE_HEADERS)) reply.header(name, value);
      },
    });
  });
}

const API_REFERENCE = '/docs/api';

/** The addresses in a page are relative, so they are right only below a slash. */
function redirectToFolder(app: HttpApp, path: string): void {
  const to = `${path.slice(path.lastIndexOf('/') + 1)}/`;
  app.get(path, PUBLIC, (_request, reply) => reply.redirect(to, 308));
}

const PUBLIC = { config: { access: 'public' } } as const;

/**
 * A page loads nothing from other hosts, sends nothing to them, and runs no code but its own. Only the origin of a style of maps is
 * allowed, where the operator has set one.
 */
function contentSecurityPolicy(styles: string, mapStyle?: string): string {
  const origin = mapStyle === undefined ? '' : ` ${new URL(mapStyle).origin}`;
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    `img-src 'self' data: blob:${origin}`,
    "font-src 'self'",
    `connect-src 'self'${origin}`,
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The two styles that React Aria adds: touches of what can be pressed, and scrolling below a dialog. */
const EXPLORER_STYLES =
  "'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' 'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='";

/**
 * The editor for requests, CodeMirror, writes its styles while it runs, so no hash can name them. A style runs no code, and
 * can load nothing that the rest of the policy forbids.
 */
const REFERENCE_POLICY = contentSecurityPolicy("'unsafe-inline'");

const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
