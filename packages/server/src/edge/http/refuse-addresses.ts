import { nearestName } from '../../domain/nearest-name.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { HttpApp } from './http-app.ts';
import { pathOf, type SendProblem } from './send-problem.ts';

/** Answers addresses that have no route, and those that have one for another method. */
export function refuseAddresses(app: HttpApp, sendProblem: SendProblem): void {
  const paths: string[] = [];
  app.addHook('onRoute', ({ url }) => {
    paths.push(url);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const methods = METHODS.filter((method) => app.hasRoute({ method, url: path }));
    if (methods.length > 0) {
      reply.header('allow', methods.join(', '));
      sendProblem(methodNotAllowed(request.method, path, methods), request, reply);
    } else {
      sendProblem(routeNotFound(path, paths), request, reply);
    }
  });
}

const METHODS = ['GET', 'HEAD', 'POST'] as const;

function methodNotAllowed(method: string, path: string, allowed: readonly string[]): ServiceError {
  return new ServiceError('METHOD_NOT_ALLOWED', `${path} does not answer ${method}.`, {
    hint: `Send ${allowed.join(' or ')}.`,
  });
}

function routeNotFound(path: string, paths: readonly string[]): ServiceError {
  const nearest = nearestName(path, paths);
  return new ServiceError('ROUTE_NOT_FOUND', `There is nothing at ${path.slice(0, 200)}.`, {
    hint:
      nearest === undefined ? '/openapi.json lists the addresses.' : `Did you mean '${nearest}'?`,
  });
}
