import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from '../http-app.ts';
import { stateOf } from '../request/request-state.ts';
import type { RefuseAddress } from './refuse-addresses.ts';

/**
 * Serves the documentation at `/docs`, a site of files whose addresses are relative. They are public, and compressed
 * already. Its own page answers an unknown address to a browser; other callers get a problem as everywhere.
 */
export async function serveDocs(
  app: HttpApp,
  {
    folder,
    refuse,
    isFirst,
  }: {
    readonly folder: string;
    readonly refuse: RefuseAddress;
    /** Whether `/` leads to it, because there is no explorer. */
    readonly isFirst: boolean;
  },
): Promise<void> {
  const open = { config: { access: 'public' } } as const;
  app.get('/docs', open, (_request, reply) => reply.redirect('docs/', 308));
  if (isFirst) app.get('/', open, (_request, reply) => reply.redirect('docs/', 302));
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, {
      root: folder,
      serve: false,
      preCompressed: true,
      cacheControl: false,
      acceptRanges: false,
    });
    let files: ReadonlySet<string> | undefined;
    scope.get<{ Params: { readonly '*': string } }>('/docs/*', open, (request, reply) => {
      const path = request.params['*'];
      files ??= listFiles(folder);
      const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
      if (files.has(file)) return sendPart(reply, file);
      if (files.has(`${path}/index.html`)) {
        return reply.redirect(`${path.slice(path.lastIndexOf('/') + 1)}/`, 308);
      }
      if (!isForBrowser(request)) return refuse(request, reply);
      return sendNotFound(request, reply, folder);
    });
  });
}

function sendPart(reply: FastifyReply, file: string): FastifyReply {
  const isNamedByHash = NAMED_BY_HASH.test(file);
  reply.header('cache-control', isNamedByHash ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (!isNamedByHash) reply.headers(PAGE_HEADERS);
  return reply.sendFile(file);
}

/** Its addresses are absolute, because it is sent for addresses of any depth. */
function sendNotFound(request: FastifyRequest, reply: FastifyReply, folder: string): FastifyReply {
  const page = readFileSync(join(folder, NOT_FOUND), 'utf8');
  const prefix = stateOf(request).pathPrefix;
  return reply
    .code(404)
    .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(Buffer.from(page.replaceAll('="/docs/', `="${prefix}/docs/`)));
}

function isForBrowser({ headers: { accept = '' } }: FastifyRequest): boolean {
  return accept.includes('text/html');
}

/** The files that are served, with `/` between the parts of their paths. */
function listFiles(folder: string): ReadonlySet<string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll('\\', '/'));
  return new Set(paths.filter((path) => !/\.gz$|^built-from$/.test(path)));
}

const NOT_FOUND = '404.html';

/** Files whose names contain a hash of what they are. */
const NAMED_BY_HASH = /^(?:_astro|pagefind\/(?:fragment|index))\//;

/** Pages load nothing from other hosts and send nothing to them. The search is WebAssembly. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    // Marks of the style sheet.
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};
