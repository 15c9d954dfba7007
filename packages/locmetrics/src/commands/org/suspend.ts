import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'suspend an organisation: refuse all its tokens',
  description:
    'Suspends an organisation: from the next request on, all its tokens are refused with ORGANISATION_SUSPENDED, including tokens created later. Nothing is deleted: tokens, grants, limits and usage stay. To undo it, use locmetrics org resume.',
  examples: {
    'Suspend an organisation that has not paid': 'org suspend portland',
  },
  settings: DATA_SETTINGS,
  arguments: { '<org>': 'id of the organisation' },
  flags: {
    '--json': 'print the organisation as JSON',
  },
  run: async (output, { settings, org: id, json }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toOrganisationAnswer, toTime } = await import(
      '@locmetrics/core/encoding/control-entries'
    );
    const changed = await withStore({ settings, output }, (store) => store.suspendOrganisation(id));
    if (json) {
      output.data(jsonLine(toOrganisationAnswer(changed)));
      return;
    }
    output.data(
      changed.hasChanged
        ? `Suspended the organisation ${id}. All its tokens are refused from the next request on.\n`
        : `The organisation ${id} has been suspended since ${toTime(changed.suspended)}.\n`,
    );
    output.messages(`To accept its tokens again: locmetrics org resume ${id}\n`);
  },
});
