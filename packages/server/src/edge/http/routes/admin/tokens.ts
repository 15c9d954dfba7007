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
import { timeText, toTime, toTokenAnswer } from '@locmetrics/core/encoding/control-entries';
import { actorOf } from '../../../../auth/actor.ts';
import { DEFAULT_OVERLAP, parseDuration } from '../../../../auth/duration.ts';
import type { CreatedToken } from '../../../../auth/insert-token.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { type Route, route } from '../route.ts';

export const tokenRoutes: readonly Route[] = [
  route(
    {
      operationId: 'listTokens',
      at: 'GET /v1/admin/tokens',
      access: 'admin',
      summary: 'List tokens, without their text',
      answer: AdminTokensAnswerSchema,
      refusals: [404],
      querystring: AdminListQuerySchema,
    },
    async ({ store }, { query }) => ({ tokens: store.listTokens(query).map(toTokenAnswer) }),
  ),
  route(
    {
      operationId: 'createToken',
      at: 'POST /v1/admin/tokens',
      access: 'admin',
      summary: 'Create a token',
      description:
        'Returns the text of the new token. Only its hash is stored, so you cannot get the text again.',
      answer: AdminTokenCreatedSchema,
      refusals: [404],
      body: AdminCreateTokenSchema,
    },
    async ({ store }, { body: { expiresAfter, ...token }, call }) => {
      const expiry =
        expiresAfter === undefined
          ? {}
          : { expiresAfterMs: parseDuration(expiresAfter, { pointer: '/expiresAfter' }) };
      const by = actorOf(call.caller);
      return toCreated(await whenUnlocked(() => store.createToken({ ...token, ...expiry }, by)));
    },
  ),
  route(
    {
      operationId: 'rotateToken',
      at: 'POST /v1/admin/tokens/:tokenId/rotate',
      access: 'admin',
      summary: 'Rotate a token',
      description:
        'Creates a token with the same organisation, name and scopes. Both tokens work during the overlap; then the old one expires.',
      answer: AdminTokenRotatedSchema,
      refusals: [404, 409],
      params: AdminTokenAddressSchema,
      body: AdminRotateTokenSchema,
    },
    async ({ store }, { params, body: { overlap = DEFAULT_OVERLAP }, call }) => {
      const overlapMs = parseDuration(overlap, { minMs: 0, pointer: '/overlap' });
      const by = actorOf(call.caller);
      const rotated = await whenUnlocked(() =>
        store.rotateToken(params.tokenId, { overlapMs }, by),
      );
      const { tokenId, expires } = rotated.replaced;
      return { ...toCreated(rotated), replaced: { tokenId, expires: timeText(expires) } };
    },
  ),
  route(
    {
      operationId: 'revokeToken',
      at: 'POST /v1/admin/tokens/:tokenId/revoke',
      access: 'admin',
      summary: 'Revoke a token',
      description: 'The token is refused from the next request on.',
      answer: AdminTokenRevokedSchema,
      refusals: [404],
      params: AdminTokenAddressSchema,
      body: AdminRevokeTokenSchema,
    },
    async ({ store }, { params, call }) => {
      const by = actorOf(call.caller);
      const { tokenId, revoked } = await whenUnlocked(() => store.revokeToken(params.tokenId, by));
      return { tokenId, revoked: timeText(revoked) };
    },
  ),
];

function toCreated({ tokenText, tokenId, scopes, expires }: CreatedToken) {
  return { token: tokenText, tokenId, scopes, expires: toTime(expires) };
}
