import { ORGANISATION } from './organisation.ts';
import { list, member } from './read-json.ts';
import { readMetricValues, VALUES_PATH } from './series.ts';
import { encodeRequest, readMessage } from './series-over-grpc.ts';
import { CALL, countValues, tokenOf } from './values-page.ts';
import type { Answer, GrpcRequest, HttpRequest } from './workload.ts';

/** One way to page through all metric values. */
export type ScanShape = {
  readonly system: 'ours' | 'postgrest';
  /** The request for the page at a position; the first page has none. */
  readonly ask: (position: string) => HttpRequest | GrpcRequest;
  /** The position of the next page. Undefined after the last page. */
  readonly next: (body: Buffer, position: string) => string | undefined;
  readonly countRows: (body: Buffer) => number;
  /** Place, day and visits of each row. */
  readonly read: (answer: Answer) => readonly (readonly unknown[])[];
};

export const SCAN_PAGE_SIZE = 10_000;

/** W6: all metric values, in pages of the maximum size. */
export const SCAN_SHAPES: ReadonlyMap<string, ScanShape> = new Map<string, ScanShape>([
  [
    'ours',
    {
      system: 'ours',
      ask: (position) =>
        get(
          `${VALUES_PATH}?billingContext=${ORGANISATION}&pageSize=${SCAN_PAGE_SIZE}&pageToken=${position}`,
        ),
      // The token is at the end, so the 17 MB before it need not be parsed.
      next: (body) => {
        const found = /"nextPageToken":"([^"]*)"/.exec(body.subarray(-TAIL_BYTES).toString());
        if (found === null) throw new Error('A page has no token at its end.');
        return found[1] === '' ? undefined : found[1];
      },
      countRows: (body) => countMarks(body, '"observationPeriod"'),
      read: (answer) => {
        const ids = list(member(answer.body, 'valuesList')).map((value) =>
          member(member(value, 'mapFeatureV2'), 'featureId'),
        );
        return list(readMetricValues(answer)['series']).map((row, index) => {
          const [day, , visits] = list(row);
          return [ids[index], day, visits];
        });
      },
    },
  ],
  [
    'oursGrpc',
    {
      system: 'ours',
      ask: (pageToken) => ({
        protocol: 'grpc',
        call: CALL,
        message: encodeRequest({ pageSize: SCAN_PAGE_SIZE, pageToken }),
      }),
      next: (body) => Buffer.from(tokenOf(body)).toString() || undefined,
      countRows: countValues,
      read: (answer) => {
        const { series, features } = readMessage(answer);
        const ids = list(features).map((feature) => list(feature)[0]);
        return list(series).map((row, index) => {
          const [day, , visits] = list(row);
          return [ids[index], day, visits];
        });
      },
    },
  ],
  [
    'postgrest',
    rowsShape(
      (position) => `offset=${position === '' ? 0 : position}`,
      (_, position) => String(Number(position) + SCAN_PAGE_SIZE),
    ),
  ],
  [
    'postgrestKeyset',
    rowsShape(
      (position) => position,
      (body) => {
        const last: unknown = JSON.parse(body.subarray(body.lastIndexOf('{'), -1).toString());
        const place = member(last, 'location_id');
        const day = member(last, 'observation_start_date');
        return `location_id=gte.${place}&or=(location_id.gt.${place},and(location_id.eq.${place},observation_start_date.gt.${day}))`;
      },
    ),
  ],
]);

const TAIL_BYTES = 1000;

/** Rows in the shape of PostgREST. A page that is not full is the last one. */
function rowsShape(
  condition: (position: string) => string,
  next: (body: Buffer, position: string) => string,
): ScanShape {
  const countRows = (body: Buffer): number => countMarks(body, '"location_id"');
  return {
    system: 'postgrest',
    ask: (position) =>
      get(
        `/visits?${condition(position)}&order=location_id,observation_start_date&limit=${SCAN_PAGE_SIZE}`,
      ),
    next: (body, position) => (countRows(body) < SCAN_PAGE_SIZE ? undefined : next(body, position)),
    countRows,
    read: ({ body }) =>
      list(body).map((row) => [
        member(row, 'location_id'),
        member(row, 'observation_start_date'),
        member(row, 'visits'),
      ]),
  };
}

function get(path: string): HttpRequest {
  return { protocol: 'http', method: 'GET', path };
}

/** The number of occurrences of a text in the bytes. */
function countMarks(body: Buffer, mark: string): number {
  let count = 0;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) count++;
  return count;
}
