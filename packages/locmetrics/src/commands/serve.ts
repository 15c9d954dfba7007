import { defineCommand } from '../cli/define-command.ts';

export const command = defineCommand({
  summary: 'serve the published datasets',
  description:
    'Serves the published datasets of the data directory over HTTP and gRPC, until SIGTERM or Ctrl+C. Running requests finish first.',
  examples: {
    'Serve .locmetrics on 127.0.0.1:8080, and over gRPC on 127.0.0.1:8443': 'serve',
    'Serve other machines over TLS, with your own certificate':
      'serve --http off --https 0.0.0.0:443 --tls-certificate chain.pem --tls-key key.pem',
    'Read the settings from a file': 'serve --config /etc/locmetrics.yaml',
  },
  settings: 'all',
  arguments: {},
  flags: {},
  run: async (_output, { settings }) => {
    const [{ serve }, { prepareServing }, { readConfig }] = await Promise.all([
      import('../serving/serve-primary.ts'),
      import('../serving/prepare-serving.ts'),
      import('../config/read-config.ts'),
    ]);
    await serve(await prepareServing(readConfig(settings)));
  },
});
