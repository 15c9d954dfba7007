import { defineCommand } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { DATA_SETTINGS } from '../settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the organisations',
  description: 'Lists the organisations, and which of them are suspended.',
  examples: {
    'List the organisations as a table': 'org list',
    'Print only the ids': "org list --json | jq -r '.organisations[].id'",
  },
  settings: DATA_SETTINGS,
  arguments: {},
  flags: {
    '--ids': 'print only the ids, one per line',
    '--json': { description: 'print them as JSON', conflicts: 'ids' },
  },
  run: async (output, { settings, ids, json }) => {
    const { withStore } = await import('../../compose/open-data.ts');
    const { toOrganisationAnswer } = await import('@locmetrics/core/encoding/control-entries');
    const entries = await withStore({ settings, output }, (store) => store.listOrganisations());
    const organisations = entries.map(toOrganisationAnswer);
    if (ids) {
      output.data(organisations.map(({ id }) => `${id}\n`).join(''));
      return;
    }
    printList(output, {
      json,
      answer: { organisations },
      none: 'There are no organisations. Create one: locmetrics org create NAME',
      columns: ['ID', 'NAME', 'CREATED', 'SUSPENDED'],
      rows: organisations.map(({ id, name, created, suspended }) => [
        ...[id, name, created],
        suspended ?? 'no',
      ]),
    });
  },
});
