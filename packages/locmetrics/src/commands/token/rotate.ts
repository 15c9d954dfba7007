import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'replace a token with a new one',
  description:
    'Creates a new token with the same organisation, name and scopes, and prints it once. Both tokens work during the overlap; then the old one expires. If the old token had an expiry, the new one gets the same lifetime.',
  examples: {
    'Let the old token work for another day': 'token rotate 0123456789ab',
    'Stop the old token immediately, after a leak': 'token rotate 0123456789ab --overlap 0s',
  },
  settings: DATA_SETTINGS,
  arguments: { '<token>': 'id of the token, or its text' },
  flags: {
    '--overlap <duration>': 'how long the old token still works, such as 7d or 0s; default: 24h',
    '--json': 'print the new token and the expiry of both as JSON',
  },
  run: async (output, { settings, token, overlap, json }) => {
    const { DEFAULT_OVERLAP, parseDuration } = await import('@locmetrics/server/auth/duration');
    const { withStore } = await import('../../compose/open-data.ts');
    const { timeText, toTime } = await import('@locmetrics/core/encoding/control-entries');
    const { readFlag } = await import('../run/read-flag.ts');
    const overlapMs = readFlag('--overlap', () =>
      parseDuration(overlap ?? DEFAULT_OVERLAP, { minMs: 0 }),
    );
    const rotated = await withStore({ settings, output }, (store) =>
      store.rotateToken(token, { overlapMs }),
    );
    const { tokenText, tokenId, scopes } = rotated;
    const expires = toTime(rotated.expires);
    const replaced = { ...rotated.replaced, expires: timeText(rotated.replaced.expires) };
    if (json) {
      output.data(jsonLine({ token: tokenText, tokenId, scopes, expires, replaced }));
    } else {
      output.data(`${tokenText}\n`);
      const end = expires === null ? 'does not expire' : `expires at ${expires}`;
      output.messages(
        `Save the token now: it is not stored and cannot be shown again. Its id is ${tokenId}, and it ${end}.\nThe old token ${replaced.tokenId} expires at ${replaced.expires}. Replace it everywhere before then.\n`,
      );
    }
  },
});
