import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'remove a grant',
  description: 'Removes a grant. The removal takes effect with the next request.',
  examples: {
    'Remove a grant by its id, which grant list shows': 'grant remove 0123456789ab',
  },
  settings: DATA_SETTINGS,
  arguments: { '<grant>': 'id of the grant' },
  flags: {
    '--json': 'print the grant as JSON',
  },
  run: async (output, { grant: grantId, settings, json }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toGrantAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const entry = await withStore({ settings, output }, (store) => store.removeGrant(grantId));
    const { organisationId, grant } = entry;
    output.data(
      json
        ? jsonLine({ grant: toGrantAnswer(entry) })
        : `Removed the grant ${grant.grantId} of ${organisationId} ('${grant.pattern}').\n`,
    );
  },
});
