import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { FloorAnswer } from './start-floor.ts';

// A floor: the speed of a server on this machine whose answer is ready. It answers each request with the
// same bytes, and has as many processes as the server under test.
const [, , answerText = '', workers] = process.argv;
const answer: FloorAnswer = JSON.parse(answerText);

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

if (cluster.isPrimary && Number(workers) > 1) {
  for (let index = 0; index < Number(workers); index++) cluster.fork();
  process.once('SIGTERM', () => cluster.disconnect(() => process.exit()));
} else {
  process.once('SIGTERM', () => process.exit());
  if (answer.protocol === 'http') serveHttp(answer);
  else {
    // A tenth of a second of the processor, in each of the processes.
    const { serveGrpc } = await import('./serve-grpc-floor.ts');
    report(await serveGrpc(answer));
  }
}

function serveHttp({
  bytes,
  status = 200,
  headers = JSON_TYPE,
}: FloorAnswer & { protocol: 'http' }): void {
  const body = Buffer.alloc(bytes, 'x');
  // An import would load the WebSocket of Node too.
  const { createServer } = process.getBuiltinModule('node:http');
  const head = status === 304 ? headers : { ...headers, 'content-length': body.length };
  const server = createServer((_, response) => {
    response.writeHead(status, head);
    response.end(status === 304 ? undefined : body);
  });
  server.listen(0, '127.0.0.1', () => {
    // `address()` is an object, because the server listens on a port and not on a socket file.
    report((server.address() as AddressInfo).port);
  });
}

function report(port: number): void {
  process.stdout.write(`listening 127.0.0.1:${port}\n`);
}
