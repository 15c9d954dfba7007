import { DISTANCE_FIELD } from '@locmetrics/core/domain/distance';
import type { GeojsonColumns } from '@locmetrics/core/domain/geojson-columns';
import { licencesOf } from '@locmetrics/core/domain/licence';
import type { LineFormat } from '@locmetrics/core/domain/line-format';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { TableMetadata } from '@locmetrics/core/domain/table-metadata';
import type { TypedColumn } from '@locmetrics/core/domain/value-visitor';
import type { DatasetVersion } from '@locmetrics/core/domain/version';
import { planGeojson } from '@locmetrics/core/plan/plan-geojson';
import { planRecords } from '@locmetrics/core/plan/plan-records';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import type { StreamRecordsRequest } from '@locmetrics/core/requests/catalog-request';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { NewTableFile } from '@locmetrics/core/storage/table-file';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { inSpan } from '../../observe/request-scope.ts';
import { countRecords } from '../count-records.ts';
import { findPageVersion } from '../find-version.ts';
import type { Call, ServiceContext } from '../service-context.ts';
import { visitPage } from '../visit-page.ts';
import { hasDistances } from '../with-distances.ts';
import type { StreamPiece } from './read-ahead.ts';
import { cutPieces, inSlot, readStream } from './read-stream.ts';
import { STREAM_SIZES, type StreamSizes } from './stream-sizes.ts';

/** A stream before its queries. An edge may find that the caller already has it. */
export type PinnedRecordsStream = {
  readonly request: StreamRecordsRequest;
  /** Of all parts, without their limits. */
  readonly plan: RecordsPlan;
  /** Only in a GeoJSON stream. */
  readonly geojsonColumns: GeojsonColumns | undefined;
  /** Values that change whenever the answer does. */
  readonly answerParts: readonly unknown[];
};

/** A table of which the rows come in pieces. */
export type TableStream = {
  readonly columns: readonly TypedColumn[];
  /** Only in a GeoJSON stream. */
  readonly geojsonColumns?: GeojsonColumns | undefined;
  readonly metadata: TableMetadata;
  /** Undefined if the request does not ask for it. */
  readonly totalSize: number | undefined;
  readonly pieces: AsyncGenerator<StreamPiece, void>;
  /** Writes the table to a Parquet file without the pieces, if the engine does. */
  readonly copy?: ((file: CopiedFile, signal: StopSignal) => Promise<void>) | undefined;
};

export type CopiedFile = Pick<NewTableFile, 'path' | 'metadata'>;

/**
 * The version and the plan of a stream. Refused: a foreign billing context, an unknown dataset or version, an unknown
 * field or operator, a value of a wrong type, an option; GeoJSON of records without a point.
 */
export function pinRecordsStream(
  { catalogFor }: Pick<ServiceContext, 'catalogFor'>,
  request: StreamRecordsRequest,
  { caller, asGeojson }: Pick<Call, 'caller'> & { readonly asGeojson: boolean },
): PinnedRecordsStream {
  checkBillingContext(caller, request.billingContext);
  // The caller's part of the catalog.
  const version: DatasetVersion = findPageVersion(catalogFor(caller), request, undefined);
  const page = { ...request, groupFilters: [], pageSize: 0 };
  const planned = inSpan('plan', () => planRecords(page, version, undefined));
  const { fields, geojsonColumns } = asGeojson
    ? planGeojson(planned.fields, version.dataset)
    : { fields: planned.fields, geojsonColumns: undefined };
  // A threshold that is raised now applies to earlier versions too.
  const thresholds = version.narrowing?.suppressed.map(({ suppressBelow }) => suppressBelow);
  const isByDistance = hasDistances(planned);
  return {
    request,
    plan: { ...planned, fields },
    geojsonColumns:
      geojsonColumns && isByDistance
        ? { ...geojsonColumns, distance: fields.length }
        : geojsonColumns,
    answerParts: [version.version, thresholds, caller.rights.fingerprint, request],
  };
}

/**
 * All records of a request, in pieces: see `readStream`. `lines` is a format in which the engine may write the records.
 * No record after `rowsMax` is wanted, although more may come.
 */
export async function openRecordsStream(
  context: ServiceContext,
  { request, plan, geojsonColumns }: PinnedRecordsStream,
  {
    lines,
    rowsMax,
    sizes = STREAM_SIZES,
    ...call
  }: Call & {
    readonly lines?: LineFormat | undefined;
    readonly rowsMax?: number | undefined;
    readonly sizes?: StreamSizes | undefined;
  },
): Promise<TableStream> {
  const { fields, version } = plan;
  const totalSize = request.trackTotalHits
    ? await inSlot({ context, call }, sizes.firstPage, (signal) =>
        countRecords(context.engine, plan, signal),
      )
    : undefined;
  const pieces = await readStream({
    ...{ context, call, plan, lines, rowsMax, sizes },
    toPieces: (found) => ({
      pieces: cutPieces({ size: found.size, visit: visitPage(found) }, sizes.piece),
      bytes: 0,
    }),
  });
  const { copyRecords } = context.engine;
  const isByDistance = hasDistances(plan);
  const columns = isByDistance ? [...fields, DISTANCE_FIELD] : fields;
  return {
    ...{ columns, geojsonColumns, metadata: metadataOf(version), totalSize, pieces },
    copy:
      copyRecords && !isByDistance ? (file, signal) => copyRecords(plan, file, signal) : undefined,
  };
}

function metadataOf({ dataset, version }: ReadableVersion): TableMetadata {
  return { source: { dataset: dataset.name }, version, licences: licencesOf(dataset) };
}
