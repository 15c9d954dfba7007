import { TABLE_FORMATS } from '@locmetrics/contract/table-formats';
import type { Licence } from '@locmetrics/core/domain/licence';
import type { NamedColumn, VisitRecord } from '@locmetrics/core/domain/value-visitor';
import { encodeRecordsCsv } from '@locmetrics/core/encoding/record-lines';
import { licenceHeaders } from './licence-headers.ts';

/** A page as CSV. Of what JSON says beside the rows, the token, the total and the version are in headers. */
export async function encodeCsvPage(page: {
  readonly fields: readonly NamedColumn[];
  readonly size: number;
  readonly visit: VisitRecord;
  readonly nextPageToken: (size: number) => string;
  /** Undefined if nothing was counted. */
  readonly totalSize: number | undefined;
  readonly version: string;
  readonly licences: readonly Licence[];
}) {
  const { size, totalSize, version, licences, nextPageToken } = page;
  const { mediaType, parameters } = TABLE_FORMATS.csv;
  return {
    answer: await encodeRecordsCsv(page),
    headers: {
      'content-type': `${mediaType}${parameters}`,
      'next-page-token': nextPageToken(size),
      ...(totalSize === undefined ? {} : { 'total-size': String(totalSize) }),
      'data-version': version,
      ...licenceHeaders(licences),
    },
  };
}
