import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the nodes that share versions',
  description:
    'Lists the nodes that share versions, with --control and --clickhouse: those that have reported within a day, the last one first. SWITCH is the number of the last switch of versions that a node had at its last report; a node that is behind follows within seconds while it can reach PostgreSQL. A node that has not reported in time is gone: versions that it used may be removed. A node that was stopped is not listed. A command that reads versions for long, such as locmetrics diff, is a node without an address.',
  examples: {
    'As a table': 'nodes',
    'The hosts of those that are gone':
      'nodes --json | jq -r \'.nodes[] | select(.state == "gone") | .host\'',
  },
  settings: VERSION_SETTINGS,
  arguments: {},
  flags: {
    '--json': 'print them as JSON',
  },
  run: async (output, given) =>
    (await import('./run/list-nodes.ts')).listNodesAction(output, given),
});
