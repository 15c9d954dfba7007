import type { Caller } from '@locmetrics/core/domain/caller';
import type { Grant, GrantTerms } from '@locmetrics/core/domain/grant';
import type { GrantFit } from '@locmetrics/core/domain/grant-fit';
import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { Outlines } from '@locmetrics/core/domain/outline';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ByteCache } from '@locmetrics/core/runtime/byte-cache';
import { openPool, type Pool } from '@locmetrics/core/runtime/pool';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { TableFiles } from '@locmetrics/core/storage/table-file';
import type { Catalog } from '@locmetrics/data-directory/versions/open-catalog';
import type { ExportContext } from '../exports/export-context.ts';
import { type Ledger, NO_LEDGER } from '../metering/ledger.ts';
import { type LimitKeeper, NO_LIMITS } from '../metering/limit-keeper.ts';
import type { ViewedRows } from '../metering/open-viewing-limits.ts';
import { NO_USAGE, type UsageReader } from '../metering/usage-reader.ts';
import { type DrawnOutlines, openDrawnOutlines } from './drawn-outlines.ts';
import {
  type DatasetExtents,
  type MetricExtents,
  openDatasetExtents,
  openMetricExtents,
} from './extents.ts';
import { createMeter, type Meter } from './meter.ts';
import { ANSWER_LIMITS, type AnswerLimit, openAnswerLimit } from './queries/answer-limit.ts';
import { checkGrant } from './rights/check-grant.ts';
import { fitGrant } from './rights/fit-grant.ts';
import { type GrantValues, openGrantValues } from './rights/grant-values.ts';
import {
  openVisibleCatalog,
  type UnusableGrant,
  type VisibleCatalog,
} from './rights/visible-catalog.ts';
import { openVisibleFeatures, type VisibleFeatures } from './visible-features.ts';

/** The dependencies of the operations; `createServiceContext` creates them once for a process. */
export type ServiceContext = {
  /** The part of the catalog that a caller may see. Operations have no access to the whole catalog. */
  readonly catalogFor: VisibleCatalog;
  readonly datasetExtents: DatasetExtents;
  /** See `checkGrant`; checked against everything that is published. */
  readonly checkGrant: (terms: GrantTerms) => readonly string[];
  /** See `fitGrant`; checked against everything that is published. */
  readonly fitGrant: (grant: Grant) => readonly GrantFit[];
  /** See `grant-values.ts`; read from everything that is published. */
  readonly grantValues: GrantValues;
  readonly engine: Engine;
  readonly outlines: Outlines;
  readonly visibleFeatures: VisibleFeatures;
  readonly drawnOutlines: ByteCache<string, DrawnOutlines>;
  readonly tableFiles: TableFiles;
  /** The files that are written at once. */
  readonly filePlaces: Pool<object>;
  /** The streams that are being sent. */
  readonly openStreams: Set<object>;
  readonly extents: MetricExtents;
  readonly answers: AnswerLimit;
  readonly meter: Meter;
  readonly usage: UsageReader;
  /** Absent in a process that writes no exports. */
  readonly exports?: ExportContext | undefined;
  /** Encrypts page tokens. It changes when the control store is replaced. */
  readonly pageTokenKey: () => Uint8Array;
  /** Whether page tokens of another key may be ours, because a damaged key was replaced. Absent: no. */
  readonly wasPageTokenKeyReplaced?: (() => boolean) | undefined;
  /** A query that takes longer is stopped. */
  readonly queryTimeoutMs: number;
};

export function createServiceContext(
  {
    catalog,
    onUnusableGrant,
    findExtent,
    extentSoonMs,
    ledger = NO_LEDGER,
    limitKeeper = NO_LIMITS,
    usage = NO_USAGE,
    tableFiles = NO_TABLE_FILES,
    outlines = NO_OUTLINES,
    viewedRows,
    ...parts
  }: Pick<
    ServiceContext,
    'engine' | 'exports' | 'pageTokenKey' | 'wasPageTokenKeyReplaced' | 'queryTimeoutMs'
  > & {
    readonly catalog: Catalog;
    readonly onUnusableGrant?: (unusable: UnusableGrant) => void;
    /** Finds the extent that a publish wrote. Default: all are queried. */
    readonly findExtent?: (version: MetricVersion) => MetricExtent | undefined;
    /** How long a request waits for an extent that is not known. Default: as long as that of a small version takes. */
    readonly extentSoonMs?: number;
    /** Default: nothing is recorded. */
    readonly ledger?: Ledger;
    /** Default: nothing is limited. */
    readonly limitKeeper?: LimitKeeper;
    readonly usage?: UsageReader;
    /** Default: none can be written. */
    readonly tableFiles?: TableFiles;
    /** Default: there are none. */
    readonly outlines?: Outlines;
    /** See `createMeter`. */
    readonly viewedRows?: ViewedRows;
  },
  limits = ANSWER_LIMITS,
): ServiceContext {
  const { engine } = parts;
  const answers = openAnswerLimit(limits);
  return {
    ...parts,
    meter: createMeter({ ledger, limits: limitKeeper, answers, viewedRows }),
    usage,
    outlines,
    visibleFeatures: openVisibleFeatures(engine),
    drawnOutlines: openDrawnOutlines(),
    tableFiles,
    filePlaces: openPool({
      create: () => Promise.resolve({}),
      itemsMax: FILES_AT_ONCE,
      waitingMax: FILES_WAITING_MAX,
      full: () => ServiceError.overloaded('Too many files are waiting to be written.'),
    }),
    openStreams: new Set(),
    catalogFor: openVisibleCatalog(catalog, onUnusableGrant),
    checkGrant: (terms) => checkGrant(terms, catalog.snapshot()),
    fitGrant: (grant) => fitGrant(grant, catalog.snapshot()),
    grantValues: openGrantValues({
      engine,
      catalog,
      answers,
      queryTimeoutMs: parts.queryTimeoutMs,
    }),
    extents: openMetricExtents(engine, { published: findExtent, soonMs: extentSoonMs }),
    datasetExtents: openDatasetExtents(engine),
    answers,
  };
}

/** Each needs memory of its own, and as much of a disk as it has bytes. */
const FILES_AT_ONCE = 2;
const FILES_WAITING_MAX = 50;

const NO_TABLE_FILES: TableFiles = {
  open: () => Promise.reject(new Error('Files of tables are not written here.')),
  folder: '',
};

const NO_OUTLINES: Outlines = { find: () => undefined, all: () => undefined };

/** The caller, and a signal that aborts when the caller cancels. */
export type Call = {
  readonly caller: Caller;
  readonly signal: StopSignal;
};
