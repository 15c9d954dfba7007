import type { HttpApp } from '../http-app.ts';

/** `/docs` has no page of its own: it leads to the API reference. The addresses are relative, as below a path prefix. */
export function redirectDocs(app: HttpApp): void {
  const open = { config: { access: 'public' } } as const;
  app.get('/docs', open, (_request, reply) => reply.redirect('docs/api/'));
  app.get('/docs/', open, (_request, reply) => reply.redirect('api/'));
}
