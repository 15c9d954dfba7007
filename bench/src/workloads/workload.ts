import type { DatasetReader } from '../dataset/dataset-reader.ts';
import type { World } from '../dataset/world.ts';
import type { Organisation } from '../fixed-cost/organisation.ts';
import type { Random } from '../seeded-random.ts';
import type { County } from './county-tiles.ts';

/** The context from which requests are made, besides random numbers. */
export type Context = {
  readonly world: World;
  /** Page tokens of deep pages of Locmetrics, by the number of rows before them. */
  readonly pageTokens: ReadonlyMap<number, string>;
  /** The indexes of the places that the partner sees, for W1rights. */
  readonly partnerPlaces?: Uint32Array;
  /** The longitudes and latitudes of some places, for W9. */
  readonly tilePlaces?: readonly (readonly [number, number])[];
  /** The counties of W13. */
  readonly counties?: readonly County[];
  /** The organisations of W0. */
  readonly organisations?: readonly Organisation[];
};

export type HttpRequest = {
  readonly protocol: 'http';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The status of success. The default is 200 or 206. */
  readonly status?: number;
};

export type GrpcRequest = {
  readonly protocol: 'grpc';
  /** The path of the call. */
  readonly call: string;
  readonly message: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
};

/** The content of an answer without its shape, so that answers can be compared. */
export type Facts = Readonly<Record<string, unknown>>;

/** One request in the form of one system. */
export type Question = {
  readonly request: HttpRequest | GrpcRequest;
  /** The facts of an answer. */
  readonly read: (answer: Answer) => Facts;
  /** The expected facts, read from the files of the dataset. There may be more than the answer has. */
  readonly expect: (dataset: DatasetReader) => Promise<Facts>;
};

/** The parsed body (for gRPC and tiles its bytes), the total that PostgREST sends in a header, and the compression. */
export type Answer = {
  readonly body: unknown;
  readonly contentRange: string | null;
  readonly contentEncoding: string | null;
};

/** The receiver of a request. */
export type System =
  | 'ours'
  | 'oursForPartner'
  | 'oursClickhouse'
  | 'oursClickhouseWithRows'
  | 'oursCluster'
  | 'postgrest'
  | 'postgrestForPartner'
  | 'postgrestBehindNginx'
  | 'postgis'
  | 'duckdb';

/** One way to send the request of a workload. */
export type Shape = {
  readonly system: System;
  readonly ask: (random: Random, context: Context) => Question;
};

/** A workload of independent requests, sent one after the other as fast as the system answers. */
export type RequestWorkload = {
  readonly id: string;
  readonly title: string;
  readonly protocol: 'http' | 'grpc';
  /** Whether ours and the floor are asked over TLS. */
  readonly overTls?: boolean;
  /** The number of requests in flight, if the workload fixes it. */
  readonly inFlight?: number;
  /** The shapes by their names in the results. */
  readonly shapes: ReadonlyMap<string, Shape>;
};
