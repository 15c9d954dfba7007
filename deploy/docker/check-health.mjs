// The health check of a container: asks /livez of the service in it, at the address that the settings of the container
// name. It exits with 1 if the service does not answer 200. The certificate is not verified: the request stays inside
// the container, and the names in the certificate are those that other machines use.
const TIMEOUT_MS = 4000;

const { LOCMETRICS_HTTP = '127.0.0.1:8080', LOCMETRICS_HTTPS = 'off' } = process.env;
const isPlain = LOCMETRICS_HTTP !== 'off';
const { get } = await import(isPlain ? 'node:http' : 'node:https');
const port = (isPlain ? LOCMETRICS_HTTP : LOCMETRICS_HTTPS).split(':').at(-1);

const request = get(
  { host: '127.0.0.1', port, path: '/livez', rejectUnauthorized: false, timeout: TIMEOUT_MS },
  (response) => {
    response.resume();
    process.exitCode = response.statusCode === 200 ? 0 : 1;
  },
);
request.on('timeout', () => request.destroy(new Error('No answer in time.')));
request.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
