import type { HttpApp } from '../http-app.ts';

/**
 * `/livez`: the process answers, so its event loop turns. `/readyz`: it can serve requests now, or
 * else a problem that says what does not answer.
 */
export function routeHealth(app: HttpApp, checkReady: () => Promise<void>): void {
  app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'live' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    await checkReady();
    return { status: 'ready' };
  });
}
