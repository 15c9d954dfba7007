import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { FloorAnswer } from './start-floor.ts';

// A floor: the speed of a server on this machine whose answer is ready. It answers each request with the
// same bytes, and has as many processes as the server under test.
const [, , answerText = '', workers] = process.argv;
const answer: FloorAnswer = JSON.parse(answerText);
const body = Buffer.alloc(answer.bytes, 'x');

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

if (cluster.isPrimary && Number(workers) > 1) {
  for (let index = 0; index < Number(workers); index++) cluster.fork();
  process.once('SIGTERM', () => cluster.disconnect(() => process.exit()));
} else {
  if (answer.protocol === 'grpc') serveGrpc(answer.call);
  else serveHttp(answer);
  process.once('SIGTERM', () => process.exit());
}

function serveHttp({
  status = 200,
  headers = JSON_TYPE,
}: FloorAnswer & { protocol: 'http' }): void {
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

function serveGrpc(path: string): void {
  const server = new Server();
  const asItIs = (bytes: Buffer): Buffer => bytes;
  server.addService(
    {
      answer: {
        path,
        requestStream: false,
        responseStream: false,
        requestSerialize: asItIs,
        requestDeserialize: asItIs,
        responseSerialize: asItIs,
        responseDeserialize: asItIs,
      },
    },
    { answer: (_: unknown, reply: (error: null, bytes: Buffer) => void) => reply(null, body) },
  );
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    report(port);
  });
}

function report(port: number): void {
  process.stdout.write(`listening 127.0.0.1:${port}\n`);
}
