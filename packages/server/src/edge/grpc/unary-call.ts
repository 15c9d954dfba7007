import {
  type DescMessage,
  type DescMethodUnary,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { type handleUnaryCall, Metadata } from '@grpc/grpc-js';
import type { Caller } from '../../domain/caller.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { inSpan, runInScope } from '../../observe/request-scope.ts';
import type { Meter } from '../../service/meter.ts';
import type { Call, ServiceContext } from '../../service/service-context.ts';
import { type CallState, stateOf } from './call-state.ts';
import { readMessage } from './read-message.ts';
import { REQUEST_ID_KEY } from './to-status.ts';

/** The context of each call. */
export type CallContext = { readonly service: ServiceContext };

export type GrpcCall = Call & {
  /** Encodes an answer, with as many rows as fit into a message. */
  readonly encode: (make: () => EncodedRows) => Uint8Array;
  /** Encodes an answer without rows, which describes data. */
  readonly encodeDescriptions: (make: () => Pick<EncodedRows, 'bytes'>) => Uint8Array;
};

type EncodedRows = { readonly bytes: Uint8Array; readonly sentRows: number };

/** A call of a service, ready to be served. */
export type UnaryCall = {
  readonly method: Pick<DescMethodUnary, 'name' | 'parent'>;
  readonly handle: (meter: Meter) => handleUnaryCall<Buffer, Buffer>;
};

/**
 * A call whose handler gets the parsed request, without unknown fields, and returns the answer as a message or
 * as its bytes.
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
    handle: (meter) => (call, respond) => {
      const state = stateOf(call.metadata);
      const answer = async (): Promise<Buffer> => {
        const { requestId, gone } = state;
        state.metered = await meter.admit({ caller: callerOf(state), requestId, signal: gone });
        const request = readMessage(method.input, call.request);
        const answered = await handler(request, toCall(state));
        const bytes =
          answered instanceof Uint8Array
            ? answered
            : inSpan('encoding', () => toBinary(method.output, answered));
        state.bytes = bytes.byteLength;
        await state.metered.complete({
          operation: method.localName,
          request,
          rows: state.rows ?? 0,
          bytes: bytes.byteLength,
        });
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      };
      runInScope(state, answer).then(
        (bytes) => {
          const metadata = new Metadata();
          metadata.set(REQUEST_ID_KEY, state.requestId);
          for (const [name, value] of meter.headers(callerOf(state))) metadata.set(name, value);
          state.metered?.end();
          call.sendMetadata(metadata);
          respond(null, bytes);
        },
        (error: unknown) => {
          const status = state.fail(ServiceError.from(error));
          state.metered?.end();
          respond(status);
        },
      );
    },
  };
}

type Answer<Output extends DescMessage> = Uint8Array | MessageShape<Output>;

function toCall(state: CallState): GrpcCall {
  return {
    caller: callerOf(state),
    get signal() {
      return state.gone.signal;
    },
    encode: (make) => {
      const { bytes, sentRows } = inSpan('encoding', make);
      state.rows = sentRows;
      return bytes;
    },
    encodeDescriptions: (make) => inSpan('encoding', make).bytes,
  };
}

function callerOf({ caller }: CallState): Caller {
  if (caller === undefined) throw new Error('A call that needs a caller is public.');
  return caller;
}
