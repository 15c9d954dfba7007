import { defineCommand } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list tokens',
  description:
    'Lists tokens with their scopes, state, expiry and last use. The token itself is not stored and not shown.',
  examples: {
    'List all tokens': 'token list',
    'List the tokens of one organisation': 'token list --org portland',
  },
  settings: DATA_SETTINGS,
  arguments: { '[org]': 'id of an organisation; default: all' },
  flags: {
    '--org <id>': 'the same as the argument',
    '--json': 'print them as JSON',
  },
  run: async (output, { settings, org: organisationId, json }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toTokenAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const filter = organisationId === undefined ? {} : { organisationId };
    const tokens = (await withStore({ settings, output }, (store) => store.listTokens(filter))).map(
      toTokenAnswer,
    );
    printList(output, {
      json,
      answer: { tokens },
      none: 'There are no tokens. Create one: locmetrics token create --org ID --name NAME',
      columns: [
        ...['ID', 'ORGANISATION', 'NAME', 'SCOPES', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'],
      ],
      rows: tokens.map((token) => [
        token.tokenId,
        token.organisationId,
        token.name,
        token.scopes.join(','),
        token.state,
        token.created,
        token.expires ?? 'never',
        token.lastUsed ?? 'never',
      ]),
    });
  },
});
