import type { Config } from '../config/settings.ts';
import type { CertificatePair } from '../edge/listening/tls/certificate-source.ts';
import type { LimitAnswer, LimitQuestion, LimitReturn } from '../metering/limit-messages.ts';
import type { MetricSnapshot } from '../observe/metric-registry.ts';

/** Where connections come from, by the key of the setting that says where it listens. */
export type ListenerName = 'http' | 'https' | 'grpc' | 'grpcPlaintext';

/** What a worker needs to begin. It travels as JSON. */
export type WorkerSetup = {
  /** From 1; a worker that takes the place of another has its number. */
  readonly worker: number;
  readonly config: Config;
  /** The data directory. */
  readonly root: string;
  readonly certificate?: CertificatePair;
  /** Versions that were found damaged before. */
  readonly damaged: readonly {
    readonly datasetName: string;
    readonly version: string;
    readonly problem: string;
  }[];
};

export type ToWorker =
  | { readonly kind: 'start'; readonly setup: WorkerSetup }
  /** Comes with the connection. */
  | { readonly kind: 'connection'; readonly id: number; readonly listener: ListenerName }
  /** The last connection that was sent before this; messages keep their order. */
  | { readonly kind: 'connections_sent'; readonly lastId: number }
  /** New connections wait: it is to end so many that it can do without. */
  | { readonly kind: 'make_room'; readonly connections: number }
  | { readonly kind: 'certificate'; readonly certificate: CertificatePair }
  /** To its question of this id. */
  | { readonly kind: 'limit_answer'; readonly id: number; readonly answer: LimitAnswer }
  /** It is to tell its metrics. */
  | { readonly kind: 'scrape' }
  /** It is to say that it is not ready, and to go on. */
  | { readonly kind: 'drain' }
  /** It is to answer what it has begun, and what comes on its connections within the grace, and to end. */
  | { readonly kind: 'stop'; readonly graceMs: number };

export type FromWorker =
  /** Its code is loaded: it can be told to start. */
  | { readonly kind: 'loaded' }
  | { readonly kind: 'ready' }
  /** Each second: its event loop turns. */
  | {
      readonly kind: 'alive';
      /** Why it cannot serve requests, if it cannot. */
      readonly notReady?: string;
    }
  | { readonly kind: 'failed'; readonly error: WorkerFailure }
  /** Until then the connection is kept, to be given to another worker if this one ends. */
  | { readonly kind: 'connection_taken'; readonly id: number }
  | { readonly kind: 'connection_ended'; readonly id: number }
  /** Connections up to this one that it has not taken never arrived. */
  | { readonly kind: 'connections_seen'; readonly lastId: number }
  /** How many of its connections it is ending; that each has ended is told besides. */
  | { readonly kind: 'room_made'; readonly connections: number }
  | { readonly kind: 'limit_question'; readonly id: number; readonly question: LimitQuestion }
  | { readonly kind: 'limit_return'; readonly returned: LimitReturn }
  /** When it was asked, now and then, and before it ends. */
  | { readonly kind: 'metrics'; readonly snapshot: MetricSnapshot }
  /** Somebody else told it to end: it is to be given no more connections, and then to be stopped. */
  | { readonly kind: 'leaving' };

/** An error as another process can tell it. */
export type WorkerFailure = {
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
  readonly stack?: string;
};
