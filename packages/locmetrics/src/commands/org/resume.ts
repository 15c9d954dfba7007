import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'resume a suspended organisation',
  description:
    'Resumes a suspended organisation: from the next request on, its tokens are accepted again, with the same grants and limits. Tokens that have expired or were revoked stay refused.',
  examples: {
    'Resume an organisation after it has paid': 'org resume portland',
  },
  settings: DATA_SETTINGS,
  arguments: { '<org>': 'id of the organisation' },
  flags: {
    '--json': 'print the organisation as JSON',
  },
  run: async (output, { settings, org: id, json }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toOrganisationAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const changed = await withStore({ settings, output }, (store) => store.resumeOrganisation(id));
    if (json) {
      output.data(jsonLine(toOrganisationAnswer(changed)));
      return;
    }
    output.data(
      changed.hasChanged
        ? `Resumed the organisation ${id}. Its tokens are accepted from the next request on.\n`
        : `The organisation ${id} is not suspended.\n`,
    );
  },
});
