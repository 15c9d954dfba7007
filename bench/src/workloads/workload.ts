import type { DatasetReader } from '../dataset/dataset-reader.ts';
import type { World } from '../dataset/world.ts';
import type { Random } from '../seeded-random.ts';

/** What requests are made from, besides chance. */
export type Context = {
  readonly world: World;
  /** Our page tokens of pages that lie deep, by the number of rows before them. */
  readonly pageTokens: ReadonlyMap<number, string>;
};

export type HttpRequest = {
  readonly protocol: 'http';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type GrpcRequest = {
  readonly protocol: 'grpc';
  /** The path of the call. */
  readonly call: string;
  readonly message: Uint8Array;
};

/** What an answer says, whatever its shape, so that it can be compared. */
export type Facts = Readonly<Record<string, unknown>>;

/** One question as one system is asked it. */
export type Question = {
  readonly request: HttpRequest | GrpcRequest;
  /** The facts of an answer. */
  readonly read: (answer: Answer) => Facts;
  /** At least these facts, from the files of the dataset alone. */
  readonly expect: (dataset: DatasetReader) => Promise<Facts>;
};

/** The parsed body (of gRPC its bytes), and the total that PostgREST tells in a header. */
export type Answer = { readonly body: unknown; readonly contentRange: string | null };

/** One way to ask the question of a workload. */
export type Shape = {
  readonly system: 'ours' | 'postgrest';
  readonly ask: (random: Random, context: Context) => Question;
};

/** A workload of independent requests: as many as the system answers, one after the other. */
export type RequestWorkload = {
  readonly id: string;
  readonly title: string;
  readonly protocol: 'http' | 'grpc';
  /** Where the number of requests in flight belongs to the workload. */
  readonly inFlight?: number;
  /** By the name in the results. */
  readonly shapes: ReadonlyMap<string, Shape>;
};
