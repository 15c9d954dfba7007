import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';

// A floor: the speed of a server on this machine whose answer is ready. It answers each request with the
// same bytes, and has as many processes as the server under test.
const [, , protocol, answerBytes, workers] = process.argv;
const answer = Buffer.alloc(Number(answerBytes), 'x');

if (cluster.isPrimary && Number(workers) > 1) {
  for (let index = 0; index < Number(workers); index++) cluster.fork();
  process.once('SIGTERM', () => cluster.disconnect(() => process.exit()));
} else {
  if (protocol === 'grpc') serveGrpc();
  else serveHttp();
  process.once('SIGTERM', () => process.exit());
}

function serveHttp(): void {
  const server = createServer((_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': answer.length,
    });
    response.end(answer);
  });
  server.listen(0, '127.0.0.1', () => {
    // `address()` is an object, because the server listens on a port and not on a socket file.
    report((server.address() as AddressInfo).port);
  });
}

function serveGrpc(): void {
  const server = new Server();
  const asItIs = (bytes: Buffer): Buffer => bytes;
  server.addService(
    {
      answer: {
        path: '/unacast.catalog.v1.QueryService/SearchMetricValues',
        requestStream: false,
        responseStream: false,
        requestSerialize: asItIs,
        requestDeserialize: asItIs,
        responseSerialize: asItIs,
        responseDeserialize: asItIs,
      },
    },
    { answer: (_: unknown, reply: (error: null, bytes: Buffer) => void) => reply(null, answer) },
  );
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    report(port);
  });
}

function report(port: number): void {
  process.stdout.write(`listening 127.0.0.1:${port}\n`);
}
