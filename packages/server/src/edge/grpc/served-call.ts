import type { DescService } from '@bufbuild/protobuf';
import type { Scope } from '@locmetrics/core/domain/scope';
import type { Exchange } from '../pipeline.ts';

/** A call that is served. */
export type ServedCall = {
  /** Whether it needs no token. */
  readonly isPublic: boolean;
  /** The scope that a token needs for it; undefined if any token will do. */
  readonly scope: Scope | undefined;
} & (
  | {
      readonly kind: 'unary';
      /** Returns the framed answer. */
      readonly answer: (message: Uint8Array, exchange: Exchange) => Promise<Buffer>;
    }
  | { readonly kind: 'streaming'; readonly open: (answers: MessageSink) => MessageSource }
);

/** The answers of a streaming call. */
export type MessageSink = {
  readonly send: (message: Uint8Array) => void;
  /** Ends the call, with the status OK. */
  readonly end: () => void;
};

/** A streaming call receives the messages of its caller through these functions. An error that they throw ends the call. */
export type MessageSource = {
  readonly receive: (message: Uint8Array) => void;
  /** The caller sends no further message. */
  readonly receiveEnd: () => void;
  /** The call has ended in any way. */
  readonly close: () => void;
};

/** Calls by their path. */
export type ServedCalls = readonly (readonly [path: string, ServedCall])[];

/** The calls of a service, given by their name. */
export function callsOf(
  { typeName }: DescService,
  calls: Readonly<Record<string, ServedCall>>,
): ServedCalls {
  return Object.entries(calls).map(([name, call]) => [`/${typeName}/${name}`, call]);
}
