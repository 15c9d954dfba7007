import { defineCommand } from '../../cli/define-command.ts';
import { jsonLine } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'create an organisation',
  description:
    'Creates an organisation. Its id is the billing context of its requests. It has no access to data until you add a grant. The data directory is created if it does not exist.',
  examples: {
    'Generate an id': 'org create "City of Portland"',
    'Choose the id': 'org create "City of Portland" --id portland',
  },
  settings: DATA_SETTINGS,
  arguments: { '<name>': 'display name' },
  flags: {
    '--id <id>': 'id, which is the billing context of its requests; default: a generated id',
    '--json': 'print the id as JSON',
  },
  run: async (output, { settings, name, id, json }) => {
    const { withNewStore } = await import('../../compose/open-data.ts');
    const organisation = await withNewStore({ settings, output }, (store) =>
      store.createOrganisation({ name, ...(id === undefined ? {} : { id }) }),
    );
    if (json) {
      output.data(jsonLine({ id: organisation.id }));
      return;
    }
    output.data(`Created the organisation ${organisation.id}.\n`);
    output.messages(
      `It has no access to data yet. Add a grant: locmetrics grant add ${organisation.id} PATTERN\n`,
    );
  },
});
