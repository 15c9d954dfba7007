import { SignInAnswerSchema, SignInRequestSchema } from '@locmetrics/contract';
import type { onRequestHookHandler } from 'fastify';
import { whenUnlocked } from '../../../auth/when-unlocked.ts';
import { timeText } from '../../../encoding/control-entries.ts';
import type { HttpApp } from '../http-app.ts';
import { describedRoute } from '../openapi/route-description.ts';
import { checkMediaType } from '../request/check-media-type.ts';
import { expectThisMachine } from '../request/expect-this-machine.ts';
import type { RouteContext } from './route-context.ts';

const schema = describedRoute(
  'signIn',
  {
    tag: 'caller',
    summary: 'Use a sign-in link',
    description:
      'Exchanges the code of a sign-in link for a token of 12 hours, with the organisation and the scopes of the link. A code works once, and only from the machine of the service, without a proxy between. It needs no token.',
    answer: SignInAnswerSchema,
    refusals: [],
  },
  { body: SignInRequestSchema },
);

/** Before the body is read. */
const onRequest: onRequestHookHandler = (request, reply, done) => {
  reply.header('cache-control', 'no-store');
  checkMediaType(request.headers);
  expectThisMachine(request.raw);
  done();
};

export function routeSignIn(app: HttpApp, { store }: RouteContext): void {
  app.post('/v1/sign-in', { schema, onRequest, config: { access: 'public' } }, async (request) => {
    const { code } = request.body;
    const { tokenText, expires } = await whenUnlocked(() => store.signIn(code));
    return { token: tokenText, expires: timeText(expires) };
  });
}
