import { defineCommand } from '../cli/define-command.ts';

export const command = defineCommand({
  summary: 'serve the built-in sample',
  description:
    'Publishes the built-in sample at the first start, and serves it. Prints a link that opens the explorer and signs you in, a token, and an example request.',
  examples: {
    'Serve the sample on 127.0.0.1:8080': 'demo',
    'Choose a free port, and turn gRPC off': 'demo --http 127.0.0.1:0 --grpc off',
  },
  settings: 'all',
  arguments: {},
  flags: {},
  run: async (output, given) => (await import('./run/demo.ts')).demoAction(output, given),
});
