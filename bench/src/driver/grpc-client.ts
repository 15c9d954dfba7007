import { Client, credentials, Metadata } from '@grpc/grpc-js';
import type { GrpcRequest, HttpRequest } from '../workloads/workload.ts';
import type { Target } from './load-order.ts';

export type GrpcClient = {
  /** Sends a call and returns the bytes of the answer. */
  readonly ask: (request: HttpRequest | GrpcRequest) => Promise<Buffer>;
  readonly close: () => void;
};

/** A client with its own connection. */
export function openGrpcClient({ host, port, headers, authority }: Target): GrpcClient {
  const security =
    authority === undefined
      ? credentials.createInsecure()
      : credentials.createSsl(Buffer.from(authority));
  const client = new Client(`${host}:${port}`, security, {
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = metadataOf(headers);
  return {
    ask: (request) => {
      if (request.protocol !== 'grpc') throw new Error(`${request.path} is no call of gRPC.`);
      const { call, message, headers: own } = request;
      const sent = own === undefined ? metadata : metadataOf({ ...headers, ...own });
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(call, toBuffer, asItIs, message, sent, (error, answer) => {
          if (error !== null) reject(new Error(`${call} failed: ${error.message}`));
          else if (answer === undefined) reject(new Error(`${call} was answered by nothing.`));
          else resolve(answer);
        });
      });
    },
    close: () => client.close(),
  };
}

function metadataOf(headers: Target['headers']): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata;
}

function toBuffer(message: Uint8Array): Buffer {
  return Buffer.from(message.buffer, message.byteOffset, message.byteLength);
}

function asItIs(answer: Buffer): Buffer {
  return answer;
}
