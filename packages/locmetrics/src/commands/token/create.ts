import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { SCOPES_FLAG } from '../common-flags.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'create a token',
  description:
    'Creates a token and prints it once: only its hash is stored. It works immediately, without a restart.',
  examples: {
    'Create a token that is valid for 90 days':
      'token create --org portland --name reports --expires 90d',
    'Create a token for Prometheus on another machine':
      'token create --org operations --name prometheus --scope operate',
    'Save the token to a file, for a script':
      'token create --org portland --name reports > token.txt',
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--org <id>': { description: 'organisation the token belongs to; required', isRequired: true },
    '--name <name>': { description: 'what the token is for; required', isRequired: true },
    '--scope <scope>': SCOPES_FLAG,
    '--expires <duration>': 'lifetime, such as 90d or 24h; default: it does not expire',
    '--json': 'print the token, its id, scopes and expiry as JSON',
  },
  run: async (output, { settings, org, name, scope, expires, json }) => {
    const { parseDuration } = await import('@locmetrics/server/auth/duration');
    const { withStore } = await import('../../compose/open-data.ts');
    const { toTime } = await import('@locmetrics/core/encoding/control-entries');
    const { readFlag, readScopeFlags } = await import('../run/read-flag.ts');
    const given = {
      ...(scope.length === 0 ? {} : { scopes: readScopeFlags(scope) }),
      ...(expires === undefined
        ? {}
        : { expiresAfterMs: readFlag('--expires', () => parseDuration(expires)) }),
    };
    const created = await withStore({ settings, output }, (store) =>
      store.createToken({ organisationId: org, name, ...given }),
    );
    const expiry = toTime(created.expires);
    if (json) {
      const { tokenText: token, tokenId, scopes } = created;
      output.data(jsonLine({ token, tokenId, scopes, expires: expiry }));
    } else {
      output.data(`${created.tokenText}\n`);
      const end = expiry === null ? 'It does not expire.' : `It expires at ${expiry}.`;
      output.messages(
        `Save the token now: it is not stored and cannot be shown again. ${end}\nIts id is ${created.tokenId}; revoke it with: locmetrics token revoke ${created.tokenId}\n`,
      );
    }
  },
});
