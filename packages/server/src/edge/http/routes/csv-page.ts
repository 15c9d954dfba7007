import { TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import type { NamedColumn, VisitRecord } from '@locmetrics/core/domain/value-visitor';
import { encodeRecordsCsv } from '@locmetrics/core/encoding/record-lines';

/** A page as CSV. Of what JSON says beside the rows, the token, the total and the version are in headers. */
export async function encodeCsvPage(page: {
  readonly fields: readonly NamedColumn[];
  readonly size: number;
  readonly visit: VisitRecord;
  readonly nextPageToken: (size: number) => string;
  /** Undefined if nothing was counted. */
  readonly totalSize: number | undefined;
  readonly version: string;
}) {
  const { size, totalSize, version, nextPageToken } = page;
  const { mediaType, parameters } = TABLE_FORMATS.csv;
  return {
    answer: await encodeRecordsCsv(page),
    headers: {
      'content-type': `${mediaType}${parameters}`,
      'next-page-token': nextPageToken(size),
      ...(totalSize === undefined ? {} : { 'total-size': String(totalSize) }),
      'data-version': version,
    },
  };
}
