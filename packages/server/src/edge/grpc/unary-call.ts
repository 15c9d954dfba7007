import {
  type DescMessage,
  type DescMethodUnary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { type handleUnaryCall, Metadata } from '@grpc/grpc-js';
import { ServiceError } from '../../domain/service-error.ts';
import { inSpan, runInScope } from '../../observe/request-scope.ts';
import type { Call, ServiceContext } from '../../service/service-context.ts';
import { type CallState, stateOf } from './call-state.ts';
import { readMessage } from './read-message.ts';
import { REQUEST_ID_KEY } from './to-status.ts';

/** What a call file gets to work with. */
export type CallContext = { readonly service: ServiceContext };

export type GrpcCall = Call & {
  /** Makes the bytes of an answer, as many rows of it as a message holds. */
  readonly encode: (make: () => EncodedRows) => Uint8Array;
};

type EncodedRows = { readonly bytes: Uint8Array; readonly sentRows: number };

/** A call of a service, ready to be served. */
export type UnaryCall = {
  readonly method: Pick<DescMethodUnary, 'name' | 'parent'>;
  readonly handle: handleUnaryCall<Buffer, Buffer>;
};

/**
 * A call whose handler is given the request, read and without unknown fields, and gives the answer
 * as a message or as the bytes of one.
 */
export function unaryCall<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  handler: (
    request: MessageShape<Input>,
    call: GrpcCall,
  ) => Answer<Output> | Promise<Answer<Output>>,
): UnaryCall {
  return {
    method,
    handle: (call, respond) => {
      const state = stateOf(call.metadata);
      const answer = async (): Promise<Buffer> => {
        const request = readMessage(method.input, call.request);
        const answered = await handler(request, toCall(state));
        const bytes =
          answered instanceof Uint8Array
            ? answered
            : inSpan('encoding', () => toBinary(method.output, answered));
        state.bytes = bytes.byteLength;
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      };
      runInScope(state, answer).then(
        (bytes) => {
          const metadata = new Metadata();
          metadata.set(REQUEST_ID_KEY, state.requestId);
          call.sendMetadata(metadata);
          respond(null, bytes);
        },
        (error: unknown) => respond(state.fail(ServiceError.from(error))),
      );
    },
  };
}

type Answer<Output extends DescMessage> = Uint8Array | MessageShape<Output>;

function toCall(state: CallState): GrpcCall {
  const { caller, signal } = state;
  if (caller === undefined) throw new Error('A call that needs a caller is public.');
  return {
    caller,
    signal,
    encode: (make) => {
      const { bytes, sentRows } = inSpan('encoding', make);
      state.rows = sentRows;
      return bytes;
    },
  };
}
