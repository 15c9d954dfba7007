import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fromBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { lastPageOf, METHOD, tokenOf } from '../workloads/values-page.ts';
import type { FloorAnswer, FloorPages } from './start-floor.ts';

// A floor: the speed of a server on this machine whose answer is ready. It answers each request with the
// same bytes, and has as many processes as the server under test.
const [, , answerText = '', workers] = process.argv;
const answer: FloorAnswer = JSON.parse(answerText);
const body = Buffer.alloc(answer.protocol === 'pages' ? 0 : answer.bytes, 'x');

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

if (cluster.isPrimary && Number(workers) > 1) {
  for (let index = 0; index < Number(workers); index++) cluster.fork();
  process.once('SIGTERM', () => cluster.disconnect(() => process.exit()));
} else {
  if (answer.protocol === 'http') serveHttp(answer);
  else serveGrpc(answer.call, answer.protocol === 'pages' ? readyPages(answer) : () => body);
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

function serveGrpc(path: string, answerTo: (request: Buffer) => Buffer): void {
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
    {
      answer: ({ request }: { request: Buffer }, reply: (error: null, bytes: Buffer) => void) =>
        reply(null, answerTo(request)),
    },
  );
  server.bindAsync('127.0.0.1:0', securityOf(answer), (error, port) => {
    if (error !== null) throw error;
    report(port);
  });
}

function securityOf(given: FloorAnswer): ServerCredentials {
  if (given.protocol !== 'grpc' || given.tls === undefined)
    return ServerCredentials.createInsecure();
  const pair = {
    cert_chain: readFileSync(given.tls.certificate),
    private_key: readFileSync(given.tls.key),
  };
  return ServerCredentials.createSsl(null, [pair]);
}

/** The token of a page is the number of the page that it leads to, with zeros before it. */
function readyPages({ file, pages, lastValues }: FloorPages): (request: Buffer) => Buffer {
  const page = readFileSync(file);
  const token = tokenOf(page);
  const last = lastPageOf(page, lastValues);
  return (request) => {
    const next = Number(fromBinary(METHOD.input, request).pageToken) + 1;
    if (next === pages) return last;
    // The page before was received whole, so its bytes can be changed.
    token.set(Buffer.from(String(next).padStart(token.length, '0')));
    return page;
  };
}

function report(port: number): void {
  process.stdout.write(`listening 127.0.0.1:${port}\n`);
}
