import { AdminNothingSchema, CallerAnswerSchema } from '@locmetrics/contract';
import { toCallerAnswer } from '../../../encoding/control-entries.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'getCaller',
  {
    tag: 'caller',
    summary: 'Who the token is',
    description:
      'The organisation, name, scopes and end of the token of the request, and the limits of its organisation. Any token that is accepted may ask. It costs no rows.',
    answer: CallerAnswerSchema,
    refusals: [],
  },
  { querystring: AdminNothingSchema },
);

export function routeGetCaller(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get('/v1/caller', { schema, config: { access: 'any' } }, async (request) => {
    const { caller } = callOf(request);
    return toCallerAnswer({
      organisation: store.getOrganisation(caller.organisationId),
      token: store.getToken(caller.tokenId),
      limits: caller.rights.limits,
    });
  });
}
