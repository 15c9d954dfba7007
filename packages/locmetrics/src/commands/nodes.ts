import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the nodes that share versions',
  description:
    'Lists the nodes that share versions (--control and --clickhouse) and have reported within a day. The most recent report comes first. SWITCH is the number of the latest switch of versions that the node had when it last reported. A node that is behind catches up within seconds if it can reach PostgreSQL. A node that has not reported in time is listed as gone, and versions that it used may be deleted. Stopped nodes are not listed. A command that reads versions for a long time, such as locmetrics diff, is listed as a node without an address.',
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
