import fastifyStatic from '@fastify/static';
import type { HttpApp } from '../http-app.ts';

/**
 * Serves the explorer, a page with its scripts, at `/`. The files are public: the page reads data with the token of who
 * looks at it. They are compressed already, so that serving them costs little.
 */
export async function serveExplorer(
  app: HttpApp,
  { folder, basePath }: { readonly folder: string; readonly basePath: string },
): Promise<void> {
  if (basePath !== '') redirectToPage(app, basePath);
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      // The routes of the plugin cannot be given options.
      route.config = { ...route.config, access: 'public' };
    });
    await scope.register(fastifyStatic, {
      root: folder,
      // A route for each file: an unknown address is refused like everywhere.
      wildcard: false,
      globIgnore: ['**/*.{br,gz}', 'built-from'],
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
        for (const [name, value] of Object.entries(PAGE_HEADERS)) reply.header(name, value);
      },
    });
  });
}

/** The addresses in the page are relative, so they are right only below a slash. */
function redirectToPage(app: HttpApp, basePath: string): void {
  const to = `${basePath.slice(basePath.lastIndexOf('/') + 1)}/`;
  const open = { schema: { hide: true }, config: { access: 'public' } } as const;
  app.get(basePath, open, (_request, reply) => reply.redirect(to, 308));
}

/** The page loads nothing from other hosts, sends nothing to them, and runs no code but its own. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    // The two styles that React Aria adds: touches of what can be pressed, and scrolling below a dialog.
    "style-src 'self' 'sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=' 'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
