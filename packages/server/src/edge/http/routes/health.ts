import { ServiceError } from '../../../domain/service-error.ts';
import type { HttpApp } from '../http-app.ts';

/** `/livez`: the process answers. `/readyz`: it can serve requests now. */
export function routeHealth(app: HttpApp, isReady: () => boolean): void {
  app.get('/livez', { schema: { hide: true } }, async () => ({ status: 'live' }));
  app.get('/readyz', { schema: { hide: true } }, async () => {
    if (isReady()) return { status: 'ready' };
    throw new ServiceError('NOT_READY', 'The service cannot answer requests now.', {
      hint: 'Try again after a second; the log says why.',
    });
  });
}
