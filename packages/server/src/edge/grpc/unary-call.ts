import {
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { Caller } from '../../domain/caller.ts';
import type { Scope } from '../../domain/scope.ts';
import { inSpan, inSpanUntil } from '../../observe/request-scope.ts';
import type { Meter } from '../../service/meter.ts';
import type { Call, ServiceContext } from '../../service/service-context.ts';
import type { CallState } from './call-state.ts';
import { readMessage } from './read-message.ts';

/** The context of each call. */
export type CallContext = { readonly service: ServiceContext };

export type GrpcCall = Call & {
  /** Encodes an answer, with as many rows as fit into a message. */
  readonly encode: (make: () => EncodedRows | Promise<EncodedRows>) => Promise<Uint8Array>;
  /** Encodes an answer without rows, which describes data. */
  readonly encodeDescriptions: (make: () => Described | Promise<Described>) => Promise<Uint8Array>;
};

type Described = Pick<EncodedRows, 'bytes'>;
type EncodedRows = { readonly bytes: Uint8Array; readonly sentRows: number };

/** A call of a service and the function that answers it with the bytes of a message. */
export type UnaryCall = {
  readonly method: Pick<DescMethodUnary, 'name' | 'parent'>;
  readonly answer: (meter: Meter, request: Uint8Array, state: CallState) => Promise<Uint8Array>;
};

/** A service of the interface and its supported calls; others are UNIMPLEMENTED. */
export type ServedService = {
  readonly service: DescService;
  /** The scope that a token needs for it. */
  readonly scope: Scope;
  readonly calls: readonly UnaryCall[];
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
    answer: async (meter, sent, state) => {
      const { requestId, gone } = state;
      state.metered = await meter.admit({ caller: callerOf(state), requestId, signal: gone });
      const request = readMessage(method.input, sent);
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
      return bytes;
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
    encode: async (make) => {
      const { bytes, sentRows } = await inSpanUntil('encoding', async () => make());
      state.rows = sentRows;
      return bytes;
    },
    encodeDescriptions: async (make) => (await inSpanUntil('encoding', async () => make())).bytes,
  };
}

function callerOf({ caller }: CallState): Caller {
  if (caller === undefined) throw new Error('A call that needs a caller is public.');
  return caller;
}
