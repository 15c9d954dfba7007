import type {
  StreamRecordsRequest as StreamRecordsBody,
  StreamRecordsQuery,
} from '@locmetrics/contract';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { OrderKey, StreamRecordsRequest } from '@locmetrics/core/requests/catalog-request';
import { readBoxParameter } from './read-box-parameter.ts';
import { readCircleParameter, readNearParameter } from './read-circle.ts';
import { readFiltersParameter, readNamesParameter } from './read-filters-parameter.ts';
import { readPolygonParameter } from './read-polygon.ts';
import { readFieldSelection, readFilter, readOptions } from './read-row-selection.ts';
import type { RequestState } from './request-state.ts';

type Address = Pick<StreamRecordsRequest, 'dataReferenceName'>;

/** Parses the parameters of a stream of records. */
export function readStreamQuery(
  query: StreamRecordsQuery,
  { dataReferenceName }: Address,
  state: Pick<RequestState, 'writtenPointers'>,
): StreamRecordsRequest {
  const { filters = '', filterLogic = '', fields = '', orderBy = '', boundingBox = '' } = query;
  const { billingContext = '', asOf = '', trackTotalHits = false } = query;
  const box = readBoxParameter('boundingBox', boundingBox);
  const polygon = readPolygonParameter(query.polygon ?? '');
  const circle = readCircleParameter(query.circle, '/options/circle', state);
  const near = readNearParameter(query.near, '/options/near', state);
  const [first, ...others] = orderBy === '' ? [] : orderBy.split(',').map(readOrderKey);
  state.writtenPointers = new Map([
    ...state.writtenPointers,
    ...OPTION_PARAMETERS,
    ...others.map((_, index) => [`/options/thenBy/${index}`, '/orderBy'] as const),
  ]);
  return {
    dataReferenceName,
    filters: readFiltersParameter(filters),
    filterLogic,
    fields: readNamesParameter(fields).map(readFieldSelection),
    options: {
      ...(box === undefined ? {} : { boundingBox: box }),
      ...(polygon === undefined ? {} : { polygon }),
      ...(circle === undefined ? {} : { circle }),
      ...(near === undefined ? {} : { near }),
      trimToPeriodOfExistence: query.trimToPeriodOfExistence === 'IGNORE' ? 'ignore' : 'trim',
      ...(first === undefined ? {} : { orderBy: first }),
      ...(others.length === 0 ? {} : { thenBy: others }),
    },
    billingContext,
    asOf,
    trackTotalHits,
  };
}

/** The parameters of the options, whose pointers are those of a body. */
const OPTION_PARAMETERS: readonly (readonly [pointer: string, written: string])[] = [
  ['/options/orderBy', '/orderBy'],
  ['/options/thenBy', '/orderBy'],
  ['/options/boundingBox', '/boundingBox'],
  ['/options/polygon', '/polygon'],
];

/** `field`, `field:ASC` or `field:DESC`. */
function readOrderKey(text: string): OrderKey {
  const [fieldName = '', direction = 'ASC', ...rest] = text.split(':').map((part) => part.trim());
  if (rest.length === 0 && (direction === 'ASC' || direction === 'DESC')) {
    return { fieldName, descending: direction === 'DESC' };
  }
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/orderBy',
    `'${text.slice(0, 100)}' is not an order.`,
    'Write a field, and :DESC after it for descending order; more fields follow after commas.',
  );
}

/** Parses the body of a stream of records; absent members get their defaults. */
export function readStreamBody(
  body: StreamRecordsBody,
  { dataReferenceName }: Address,
): StreamRecordsRequest {
  const { fields = [], filters = [], filterLogic = '', billingContext = '' } = body;
  return {
    dataReferenceName,
    filters: filters.map(readFilter),
    filterLogic,
    fields: fields.map(readFieldSelection),
    options: readOptions(body),
    billingContext,
    asOf: body.asOf ?? '',
    trackTotalHits: body.trackTotalHits ?? false,
  };
}
