import {
  AdminCreateTokenSchema,
  AdminListQuerySchema,
  AdminRevokeTokenSchema,
  AdminRotateTokenSchema,
  AdminTokenAddressSchema,
  AdminTokenCreatedSchema,
  AdminTokenRevokedSchema,
  AdminTokenRotatedSchema,
  AdminTokensAnswerSchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import { DEFAULT_OVERLAP, parseDuration } from '../../../../auth/duration.ts';
import type { CreatedToken } from '../../../../auth/insert-token.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { timeText, toTime, toTokenAnswer } from '../../../../encoding/control-entries.ts';
import type { HttpApp } from '../../http-app.ts';
import { describedRoute } from '../../openapi/route-description.ts';
import type { RouteContext } from '../route-context.ts';
import { ADMIN } from './access.ts';

const listSchema = describedRoute(
  'listTokens',
  {
    tag: 'admin',
    summary: 'List tokens, without their text',
    answer: AdminTokensAnswerSchema,
    refusals: [404],
  },
  { querystring: AdminListQuerySchema },
);

const createSchema = describedRoute(
  'createToken',
  {
    tag: 'admin',
    summary: 'Create a token',
    description: 'The answer contains the text of the token. It is not stored: only its hash is.',
    answer: AdminTokenCreatedSchema,
    refusals: [404],
  },
  { body: AdminCreateTokenSchema },
);

const rotateSchema = describedRoute(
  'rotateToken',
  {
    tag: 'admin',
    summary: 'Rotate a token',
    description:
      'The new token has the same organisation, name and scopes. Both work during the overlap; then the old one ends.',
    answer: AdminTokenRotatedSchema,
    refusals: [404, 409],
  },
  { params: AdminTokenAddressSchema, body: AdminRotateTokenSchema },
);

const revokeSchema = describedRoute(
  'revokeToken',
  {
    tag: 'admin',
    summary: 'Revoke a token',
    description: 'It stops working with the next request.',
    answer: AdminTokenRevokedSchema,
    refusals: [404],
  },
  { params: AdminTokenAddressSchema, body: AdminRevokeTokenSchema },
);

const PATH = '/v1/admin/tokens';

export function routeAdminTokens(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema, ...ADMIN }, async ({ query }) => ({
    tokens: store.listTokens(query).map(toTokenAnswer),
  }));
  app.post(PATH, { schema: createSchema, ...ADMIN }, async (request) => {
    const { expiresAfter, ...token } = request.body;
    const expiry =
      expiresAfter === undefined
        ? {}
        : { expiresAfterMs: parseDuration(expiresAfter, { pointer: '/expiresAfter' }) };
    const by = actorOf(callOf(request).caller);
    return toCreated(await whenUnlocked(() => store.createToken({ ...token, ...expiry }, by)));
  });
  app.post(`${PATH}/:tokenId/rotate`, { schema: rotateSchema, ...ADMIN }, async (request) => {
    const { overlap = DEFAULT_OVERLAP } = request.body;
    const overlapMs = parseDuration(overlap, { minMs: 0, pointer: '/overlap' });
    const by = actorOf(callOf(request).caller);
    const rotated = await whenUnlocked(() =>
      store.rotateToken(request.params.tokenId, { overlapMs }, by),
    );
    const { tokenId, expires } = rotated.replaced;
    return { ...toCreated(rotated), replaced: { tokenId, expires: timeText(expires) } };
  });
  app.post(`${PATH}/:tokenId/revoke`, { schema: revokeSchema, ...ADMIN }, async (request) => {
    const by = actorOf(callOf(request).caller);
    const { tokenId, revoked } = await whenUnlocked(() =>
      store.revokeToken(request.params.tokenId, by),
    );
    return { tokenId, revoked: timeText(revoked) };
  });
}

function toCreated({ tokenText, tokenId, scopes, expires }: CreatedToken) {
  return { token: tokenText, tokenId, scopes, expires: toTime(expires) };
}
