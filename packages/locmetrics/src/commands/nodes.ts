import { defineCommand } from '../cli/define-command.ts';
import { VERSION_SETTINGS } from './settings-of-commands.ts';

export const command = defineCommand({
  summary: 'list the nodes that share versions',
  description:
    'Lists the nodes that share versions (--control and --clickhouse) and have reported within a day. The most recent report comes first. SWITCH is the number of the latest switch of versions that the node had received when it last reported. A node with a lower number than the others catches up within seconds if it can reach PostgreSQL. If a node does not report in time, it is listed as gone, and versions that it used may be deleted. Stopped nodes are not listed. A command that reads versions for a long time, such as locmetrics diff, is listed as a node without an address.',
  examples: {
    'List the nodes as a table': 'nodes',
    'Print the hosts of the nodes that are gone':
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
