import type { HttpApp } from '../http-app.ts';

/**
 * `/livez`: the process answers, so its event loop is not blocked. `/readyz`: the process can serve
 * requests, with the build that serves, or a problem that names the failed checks; `damagedRights` counts the damaged rows that decide rights.
 */
export function routeHealth(
  app: HttpApp,
  {
    checkReady,
    build = {},
    countDamagedRights = async () => 0,
  }: {
    readonly checkReady: () => Promise<void>;
    readonly build?: object;
    /** Damaged rights do not make the service unready: all other organisations are answered. Default: none. */
    readonly countDamagedRights?: () => Promise<number>;
  },
): void {
  app.get('/livez', OPEN, async () => ({ status: 'live' }));
  app.get('/readyz', OPEN, async () => {
    await checkReady();
    const damagedRights = await countDamagedRights();
    return { status: 'ready', ...build, ...(damagedRights === 0 ? {} : { damagedRights }) };
  });
}

const OPEN = { config: { access: 'public' } } as const;
