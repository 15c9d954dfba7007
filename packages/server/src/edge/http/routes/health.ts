import type { HttpApp } from '../http-app.ts';

/**
 * `/livez`: the process answers, so its event loop is not blocked. `/readyz`: the process can serve
 * requests, with the build that serves, or a problem that names
 * the failed checks.
 */
export function routeHealth(
  app: HttpApp,
  checkReady: () => Promise<void>,
  build: object = {},
): void {
  app.get('/livez', OPEN, async () => ({ status: 'live' }));
  app.get('/readyz', OPEN, async () => {
    await checkReady();
    return { status: 'ready', ...build };
  });
}

const OPEN = { schema: { hide: true }, config: { access: 'public' } } as const;
