import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';

// A floor: what the machine gives to a server that has its answer ready. Each request to it is
// answered with the same bytes, by as many processes as the server under test has.
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
    // A server that listens on a port is never at the address of a file.
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
