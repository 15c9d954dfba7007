import type { DescMessage, DescMethodUnary, DescService, MessageShape } from '@bufbuild/protobuf';
import type { Scope } from '@locmetrics/core/domain/scope';
import { PREFIX_BYTES } from '@locmetrics/core/encoding/message-frame';
import type { ServiceContext } from '../../service/service-context.ts';
import { admitRequest, answerRequest, type Exchange, type Operation } from '../pipeline.ts';
import { readMessage } from './read-message.ts';

/** A framed message, and the number of rows in it; absent if it describes data. */
type Framed = { readonly framed: Buffer; readonly sentRows?: number };

/** A call of a service and the function that answers its message. */
export type UnaryCall = {
  readonly method: Pick<DescMethodUnary, 'name' | 'parent'>;
  readonly answer: (
    context: ServiceContext,
    exchange: Exchange,
    message: Uint8Array,
  ) => Promise<Buffer>;
};

/** A service of the interface and its supported calls; others are UNIMPLEMENTED. */
export type ServedService = {
  readonly service: DescService;
  /** The scope that a token needs for it. */
  readonly scope: Scope;
  readonly calls: readonly UnaryCall[];
};

/** A call whose operation gets the parsed message, without unknown fields, and returns a framed one. */
export function unaryCall<
  Input extends DescMessage,
  Output extends DescMessage,
  Asked extends object,
  Result,
>(
  method: DescMethodUnary<Input, Output>,
  {
    read,
    run,
    rowsOf,
    encode,
  }: Pick<Operation<MessageShape<Input>, Asked, Result>, 'read' | 'run' | 'rowsOf'> & {
    readonly encode: (result: Result, asked: Asked) => Framed | Promise<Framed>;
  },
): UnaryCall {
  const operation: Operation<Uint8Array, Asked, Result> = {
    name: method.localName,
    read: (message) => read(readMessage(method.input, message)),
    run,
    rowsOf,
    encode: async (result, asked) => {
      const { framed, sentRows } = await encode(result, asked);
      return { answer: framed, rows: sentRows, bytes: framed.length - PREFIX_BYTES };
    },
  };
  return {
    method,
    answer: async (context, exchange, message) => {
      await admitRequest(exchange, context.meter);
      const { answer } = await answerRequest(context, exchange, operation, message);
      return answer;
    },
  };
}
