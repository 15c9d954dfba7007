import { nameHint, nearestName } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ServedCall, ServedCalls } from './served-call.ts';
import { UNSERVED_CALLS } from './unserved-calls.ts';

/** A call, with its path as the .proto files name it. */
export type KnownCall = { readonly path: string; readonly call: ServedCall };

/** The calls of a server, by every spelling of their path. */
export type KnownCalls = {
  readonly find: (path: string) => KnownCall | undefined;
  /** The error for a path that is not a call. */
  readonly unknownCall: (path: string) => ServiceError;
};

/**
 * A call is known by its path and by the spellings of the specification: the method in lowerCamelCase, and the service
 * without its package (`/QueryService/searchMetricValues`), if no other service of that name has the call.
 */
export function knownCalls(served: ServedCalls): KnownCalls {
  const paths = served.map(([path]) => path);
  const calls = new Map<string, KnownCall>();
  for (const [path, call] of served) {
    for (const spelling of spellingsOf(path, paths)) calls.set(spelling, { path, call });
  }
  const unserved = unservedCalls();
  return {
    find: (path) => calls.get(path),
    unknownCall: (path) => {
      const { message, hint } = unserved.get(path) ?? {
        message: 'The service has no such call.',
        hint: hintFor(path, { spellings: [...calls.keys()], paths }),
      };
      return new ServiceError('UNKNOWN_CALL', message, { hint });
    },
  };
}

function spellingsOf(path: string, paths: readonly string[]): readonly string[] {
  const [service = '', method = ''] = path.slice(1).split('/');
  const short = shortName(service);
  const isAmbiguous = paths.some((other) => {
    const [otherService = '', otherMethod] = other.slice(1).split('/');
    const isSame = shortName(otherService) === short && otherMethod === method;
    return isSame && otherService !== service;
  });
  const services = isAmbiguous ? [service] : [service, short];
  return services.flatMap((name) => [`/${name}/${method}`, `/${name}/${toLowerCamel(method)}`]);
}

function shortName(service: string): string {
  return service.slice(service.lastIndexOf('.') + 1);
}

function toLowerCamel(method: string): string {
  return method.charAt(0).toLowerCase() + method.slice(1);
}

/** The answers to calls that are not served yet, by every spelling of their path. */
function unservedCalls(): ReadonlyMap<string, { readonly message: string; readonly hint: string }> {
  const all = Object.entries(UNSERVED_CALLS).flatMap(([service, methods]) =>
    Object.entries(methods).flatMap(([method, hint]) => {
      const path = `/${service}/${method}`;
      const message = `The call ${service}/${method} is not served yet.`;
      return spellingsOf(path, []).map((spelling) => [spelling, { message, hint }] as const);
    }),
  );
  return new Map(all);
}

/** The nearest call in the spelling that the caller uses, or else all calls. */
function hintFor(
  path: string,
  known: { readonly spellings: readonly string[]; readonly paths: readonly string[] },
): string {
  const nearest = nearestName(path, known.spellings);
  return nearest === undefined ? nameHint(path, known.paths) : `Did you mean '${nearest}'?`;
}
