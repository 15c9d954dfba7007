import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { fromBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { lastPageOf, METHOD, tokenOf } from '../workloads/values-page.ts';
import type { FloorAnswer, FloorPages } from './start-floor.ts';

type GrpcAnswer = Exclude<FloorAnswer, { readonly protocol: 'http' }>;

/** Serves the answer, and returns the port. */
export async function serveGrpc(answer: GrpcAnswer): Promise<number> {
  const answerTo = answer.protocol === 'pages' ? readyPages(answer) : answerWith(answer.bytes);
  const server = new Server();
  const asItIs = (bytes: Buffer): Buffer => bytes;
  server.addService(
    {
      answer: {
        path: answer.call,
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
  return promisify(server.bindAsync.bind(server))('127.0.0.1:0', securityOf(answer));
}

function answerWith(bytes: number): () => Buffer {
  const body = Buffer.alloc(bytes, 'x');
  return () => body;
}

function securityOf(given: GrpcAnswer): ServerCredentials {
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
