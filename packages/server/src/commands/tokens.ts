import { ControlError } from '../auth/control-error.ts';
import { parseDuration } from '../auth/duration.ts';
import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';
import { formatTable } from '../cli/table.ts';
import { ConfigError } from '../config/config-error.ts';
import { withStore } from './open-data.ts';

export function tokenActions(
  output: Output,
): Pick<Actions, 'createToken' | 'listTokens' | 'revokeToken'> {
  return {
    createToken: async ({ settings, org, name, expires, json }) => {
      const expiresAfterMs = expires === undefined ? {} : { expiresAfterMs: readExpires(expires) };
      const created = await withStore({ settings, output }, (store) =>
        store.createToken({ organisationId: org, name, ...expiresAfterMs }),
      );
      const expiry = toTime(created.expires);
      if (json) {
        const { tokenText: token, tokenId } = created;
        output.data(`${JSON.stringify({ token, tokenId, expires: expiry })}\n`);
      } else {
        output.data(`${created.tokenText}\n`);
        const end = expiry === null ? 'It does not expire.' : `It expires at ${expiry}.`;
        output.messages(
          `Keep the token now: it is not stored and not shown again. ${end}\nIts id is ${created.tokenId}; revoke it with: locmetrics token revoke ${created.tokenId}\n`,
        );
      }
    },
    listTokens: async ({ settings, org, json }) => {
      const filter = org === undefined ? {} : { organisationId: org };
      const tokens = (
        await withStore({ settings, output }, (store) => store.listTokens(filter))
      ).map((token) => ({
        ...token,
        created: toTime(token.created),
        expires: toTime(token.expires),
        lastUsed: toTime(token.lastUsed),
        revoked: toTime(token.revoked),
      }));
      if (json) {
        output.data(`${JSON.stringify({ tokens })}\n`);
      } else if (tokens.length === 0) {
        output.messages(
          'There are no tokens. Create one: locmetrics token create --org ID --name NAME\n',
        );
      } else {
        const rows = tokens.map((token) => [
          token.tokenId,
          token.organisationId,
          token.name,
          token.state,
          token.created ?? '',
          token.expires ?? 'never',
          token.lastUsed ?? 'never',
        ]);
        const columns = ['ID', 'ORGANISATION', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'];
        output.data(formatTable(columns, rows));
      }
    },
    revokeToken: async (token, { settings, json }) => {
      const revoked = await withStore({ settings, output }, (store) => store.revokeToken(token));
      const time = toTime(revoked.revoked);
      if (json) {
        output.data(`${JSON.stringify({ tokenId: revoked.tokenId, revoked: time })}\n`);
      } else if (revoked.wasRevokedBefore) {
        output.data(`The token ${revoked.tokenId} was already revoked at ${time}.\n`);
      } else {
        output.data(`Revoked the token ${revoked.tokenId} (${revoked.name}).\n`);
      }
    },
  };
}

/** A value that cannot be read is wrong usage, as it is of any other flag. */
function readExpires(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof ControlError)) throw error;
    throw new ConfigError(`--expires: ${error.message}`, error.hint);
  }
}

function toTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
