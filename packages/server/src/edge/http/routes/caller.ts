import {
  AdminNothingSchema,
  CallerAnswerSchema,
  SignInAnswerSchema,
  SignInRequestSchema,
} from '@locmetrics/contract';
import { timeText, toCallerAnswer } from '@locmetrics/core/encoding/control-entries';
import { whenUnlocked } from '../../../auth/when-unlocked.ts';
import { checkMediaType } from '../request/check-media-type.ts';
import { expectThisMachine } from '../request/expect-this-machine.ts';
import { type Route, route } from './route.ts';

/** The caller of a token, and signing in. */
export const callerRoutes: readonly Route[] = [
  route(
    {
      operationId: 'getCaller',
      at: 'GET /v1/caller',
      access: 'any',
      summary: 'Describe the caller',
      description:
        'Returns the organisation, name, scopes and expiry of the token, and the limits of its organisation. Any valid token may call this. It costs no rows.',
      answer: CallerAnswerSchema,
      refusals: [],
      querystring: AdminNothingSchema,
    },
    async ({ store, service }, { call: { caller } }) =>
      toCallerAnswer({
        organisation: store.getOrganisation(caller.organisationId),
        token: store.getToken(caller.tokenId),
        limits: caller.rights.limits,
        viewed: service.meter.viewedLimits(caller),
      }),
  ),
  route(
    {
      operationId: 'signIn',
      at: 'POST /v1/sign-in',
      access: 'public',
      summary: 'Use a sign-in link',
      description:
        'Exchanges the code of a sign-in link for a token that is valid for 12 hours, with the organisation and the scopes of the link. A code works once, and only from the machine of the service, without a proxy in between. It needs no token.',
      answer: SignInAnswerSchema,
      refusals: [],
      body: SignInRequestSchema,
      onRequest: (request, reply, done) => {
        reply.header('cache-control', 'no-store');
        checkMediaType(request.headers);
        expectThisMachine(request.raw);
        done();
      },
    },
    async ({ store }, { body: { code } }) => {
      const { tokenText, expires } = await whenUnlocked(() => store.signIn(code));
      return { token: tokenText, expires: timeText(expires) };
    },
  ),
];
