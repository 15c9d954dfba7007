import {
  type DescMessage,
  type DescMethodUnary,
  type DescService,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import type { Caller } from '../../domain/caller.ts';
import type { Scope } from '../../domain/scope.ts';
import { frameMessage, PREFIX_BYTES } from '../../encoding/message-frame.ts';
import { inSpan, inSpanUntil } from '../../observe/request-scope.ts';
import type { Meter } from '../../service/meter.ts';
import type { Call, ServiceContext } from '../../service/service-context.ts';
import type { CallState } from './call-state.ts';
import { readMessage } from './read-message.ts';

/** The context of each call. */
export type CallContext = { readonly service: ServiceContext };

export type GrpcCall = Call & {
  /** Encodes an answer, with as many rows as fit into a message. */
  readonly encode: (make: () => Promise<FramedRows>) => Promise<Buffer>;
  /** Encodes an answer without rows, which describes data. */
  readonly encodeDescriptions: (make: () => Described | Promise<Described>) => Promise<Buffer>;
};

type Described = Pick<FramedRows, 'framed'>;
type FramedRows = { readonly framed: Buffer; readonly sentRows: number };

/** A call of a service and the function that answers it with a framed message. */
export type UnaryCall = {
  readonly method: Pick<DescMethodUnary, 'name' | 'parent'>;
  readonly answer: (meter: Meter, request: Uint8Array, state: CallState) => Promise<Buffer>;
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
 * as its framed bytes.
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
      const framed = Buffer.isBuffer(answered)
        ? answered
        : inSpan('encoding', () => frameMessage(toBinary(method.output, answered)));
      const bytes = framed.length - PREFIX_BYTES;
      state.bytes = bytes;
      await state.metered.complete({
        operation: method.localName,
        request,
        rows: state.rows ?? 0,
        bytes,
      });
      return framed;
    },
  };
}

type Answer<Output extends DescMessage> = Buffer | MessageShape<Output>;

function toCall(state: CallState): GrpcCall {
  return {
    caller: callerOf(state),
    signal: state.gone,
    encode: async (make) => {
      const { framed, sentRows } = await inSpanUntil('encoding', make);
      state.rows = sentRows;
      return framed;
    },
    encodeDescriptions: async (make) => (await inSpanUntil('encoding', async () => make())).framed,
  };
}

function callerOf({ caller }: CallState): Caller {
  if (caller === undefined) throw new Error('A call that needs a caller is public.');
  return caller;
}
