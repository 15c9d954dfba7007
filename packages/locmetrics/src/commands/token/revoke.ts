import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'revoke a token',
  description: 'Revokes a token, by its id or its text. It stops working with the next request.',
  examples: {
    'Revoke a token by its id, which token list shows': 'token revoke 0123456789ab',
  },
  settings: DATA_SETTINGS,
  arguments: { '<token>': 'id of the token, or its text' },
  flags: {
    '--json': 'print the id and the time of the revocation as JSON',
  },
  run: async (output, { settings, token, json }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toTime } = await import('@locmetrics/core/encoding/control-entries');
    const revoked = await withStore({ settings, output }, (store) => store.revokeToken(token));
    const time = toTime(revoked.revoked);
    if (json) {
      output.data(jsonLine({ tokenId: revoked.tokenId, revoked: time }));
    } else if (revoked.wasRevokedBefore) {
      output.data(`The token ${revoked.tokenId} was already revoked at ${time}.\n`);
    } else {
      output.data(`Revoked the token ${revoked.tokenId} (${revoked.name}).\n`);
    }
  },
});
