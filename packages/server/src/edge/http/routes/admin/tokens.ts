import {
  AdminCreateTokenSchema,
  AdminListQuerySchema,
  AdminNothingSchema,
  AdminRotateTokenSchema,
  AdminTokenAddressSchema,
  AdminTokenCreatedSchema,
  AdminTokenRevokedSchema,
  AdminTokenRotatedSchema,
  AdminTokensAnswerSchema,
} from '@locmetrics/contract';
import { actorOf } from '../../../../auth/actor.ts';
import { DEFAULT_OVERLAP, parseDuration } from '../../../../auth/duration.ts';
import type { CreatedToken } from '../../../../auth/tokens.ts';
import { whenUnlocked } from '../../../../auth/when-unlocked.ts';
import { timeText, toTime, toTokenAnswer } from '../../../../encoding/control-entries.ts';
import type { HttpApp, RouteContext } from '../../http-app.ts';
import { adminSchema } from './admin-schema.ts';

const listSchema = adminSchema(
  {
    operationId: 'listTokens',
    summary: 'List tokens, without their text',
    answer: AdminTokensAnswerSchema,
  },
  { querystring: AdminListQuerySchema },
);

const createSchema = adminSchema(
  {
    operationId: 'createToken',
    summary: 'Create a token',
    description: 'Its text is in the answer, and nowhere else: only its hash is stored.',
    answer: AdminTokenCreatedSchema,
  },
  { body: AdminCreateTokenSchema },
);

const rotateSchema = adminSchema(
  {
    operationId: 'rotateToken',
    summary: 'Make the successor of a token',
    description:
      'With the same organisation, name and scopes. Both work for the overlap; then the old one ends.',
    answer: AdminTokenRotatedSchema,
  },
  { params: AdminTokenAddressSchema, body: AdminRotateTokenSchema },
);

const revokeSchema = adminSchema(
  {
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    description: 'It stops working with the next request.',
    answer: AdminTokenRevokedSchema,
  },
  { params: AdminTokenAddressSchema, body: AdminNothingSchema },
);

const PATH = '/v1/admin/tokens';

export function routeAdminTokens(app: HttpApp, { store, callOf }: RouteContext): void {
  app.get(PATH, { schema: listSchema }, async ({ query }) => ({
    tokens: store.listTokens(query).map(toTokenAnswer),
  }));
  app.post(PATH, { schema: createSchema }, async (request) => {
    const { expiresAfter, ...token } = request.body;
    const expiry =
      expiresAfter === undefined
        ? {}
        : { expiresAfterMs: parseDuration(expiresAfter, { pointer: '/expiresAfter' }) };
    const by = actorOf(callOf(request).caller);
    return toCreated(await whenUnlocked(() => store.createToken({ ...token, ...expiry }, by)));
  });
  app.post(`${PATH}/:tokenId/rotate`, { schema: rotateSchema }, async (request) => {
    const { overlap = DEFAULT_OVERLAP } = request.body;
    const overlapMs = parseDuration(overlap, { minMs: 0, pointer: '/overlap' });
    const by = actorOf(callOf(request).caller);
    const rotated = await whenUnlocked(() =>
      store.rotateToken(request.params.tokenId, { overlapMs }, by),
    );
    const { tokenId, expires } = rotated.replaced;
    return { ...toCreated(rotated), replaced: { tokenId, expires: timeText(expires) } };
  });
  app.post(`${PATH}/:tokenId/revoke`, { schema: revokeSchema }, async (request) => {
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
