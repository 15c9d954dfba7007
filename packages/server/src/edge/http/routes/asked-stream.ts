import type { Call } from '../../../service/service-context.ts';
import type { TableStream } from '../../../service/streams/stream-records.ts';
import type { StreamFormat } from './stream-formats.ts';

/** A stream whose version is known, before its queries. */
export type AskedStream = {
  /** Its name in the usage records. */
  readonly operation: string;
  /** The parsed request. */
  readonly asked: object;
  /** The format, and the values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
  readonly format: StreamFormat;
  /** Of the file, without its end. */
  readonly name: string;
  readonly open: () => Promise<TableStream>;
  readonly call: Pick<Call, 'signal'>;
};
