import type { ListRecordsRequest } from '@locmetrics/client';
import { damaged, readSelection, type Selection, toBoundingBox } from './selection.ts';

/** The state of the view of records, as the address has it. */
export type RecordsAddress = Selection & {
  /** A field, after a minus if its greatest values come first. Absent: the order of the key. */
  readonly order?: string | undefined;
  /** Further ones, written alike, for records with equal values of `order`. */
  readonly thenBy?: readonly string[] | undefined;
  /** Absent: the fields that are included by default. */
  readonly fields?: readonly string[] | undefined;
  /** How many records a page has. */
  readonly size?: PageSize | undefined;
  /** The number of the record of the page that is open, from 1. */
  readonly record?: number | undefined;
} & PageAddress;

export type Ordered = Pick<RecordsAddress, 'order' | 'thenBy'>;

type OrderBy = { readonly fieldName: string; readonly direction: 'ASC' | 'DESC' };

/** A page after the first one. */
export type PageAddress = {
  /** From 2. */
  readonly page?: number | undefined;
  /** The token of the page. It works only with the rights of the reader, and grants none. */
  readonly pageToken?: string | undefined;
};

export const PAGE_SIZES = [25, 50, 100] as const;
export type PageSize = (typeof PAGE_SIZES)[number];
export const DEFAULT_PAGE_SIZE: PageSize = 50;

export function readRecordsAddress(query: Readonly<Record<string, unknown>>): RecordsAddress {
  const { order, thenBy, fields, size, record, page, pageToken } = query;
  return {
    ...readSelection(query),
    ...(order === undefined ? {} : { order: readOrder(order) }),
    ...(thenBy === undefined ? {} : { thenBy: readFurther(thenBy, order) }),
    ...(fields === undefined ? {} : { fields: readFields(fields) }),
    ...(size === undefined ? {} : { size: readSize(size) }),
    ...(record === undefined ? {} : { record: readNumber('record', record, 1) }),
    ...(pageToken === undefined
      ? {}
      : { page: readNumber('page', page, 2), pageToken: readToken(pageToken) }),
  };
}

/** The request for the first page of what the address says. */
export function toRecordsRequest(dataset: string, address: RecordsAddress): ListRecordsRequest {
  const { filters, fields, size = DEFAULT_PAGE_SIZE } = address;
  const boundingBox = toBoundingBox(address);
  const options = { ...(boundingBox === undefined ? {} : { boundingBox }), ...toOrder(address) };
  return {
    dataReferenceName: dataset,
    ...(fields === undefined ? {} : { fields }),
    ...(filters === undefined || filters.length === 0 ? {} : { filters }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    pageSize: size,
    typedValues: true,
  };
}

/** The order of an address, as options of a request. */
export function toOrder({ order, thenBy }: Ordered): {
  readonly orderBy?: OrderBy;
  readonly thenBy?: readonly OrderBy[];
} {
  return {
    ...(order === undefined ? {} : { orderBy: parseOrder(order) }),
    ...(thenBy === undefined ? {} : { thenBy: thenBy.map(parseOrder) }),
  };
}

export function parseOrder(order: string): OrderBy {
  return order.startsWith('-')
    ? { fieldName: order.slice(1), direction: 'DESC' }
    : { fieldName: order, direction: 'ASC' };
}

/** The order after one more press on a heading: ascending, descending, none. It orders by this field alone. */
export function nextOrder({ order }: Ordered, field: string): Ordered {
  return { order: turned(order, field), thenBy: undefined };
}

/** The order after its field was chosen beside those before it: the last one, ascending; then descending; then left out. */
export function nextFurther(ordered: Ordered, field: string): Ordered {
  const all = orderList(ordered);
  const at = all.findIndex((one) => parseOrder(one).fieldName === field);
  const next = turned(all[at], field);
  const [order, ...thenBy] =
    at === -1 ? [...all, field] : all.toSpliced(at, 1, ...(next === undefined ? [] : [next]));
  return { order, thenBy: thenBy.length === 0 ? undefined : thenBy };
}

/** All fields of an order, the first one first. */
export function orderList({ order, thenBy = [] }: Ordered): readonly string[] {
  return order === undefined ? [] : [order, ...thenBy];
}

function turned(order: string | undefined, field: string): string | undefined {
  if (order === field) return `-${field}`;
  return order === `-${field}` ? undefined : field;
}

function readOrder(given: unknown): string {
  if (typeof given === 'string' && given !== '' && given !== '-') return given;
  throw damaged('order', given, 'the name of a field, or a minus and the name');
}

function readFurther(given: unknown, first: unknown): readonly string[] {
  const isOrder = (one: unknown): one is string =>
    typeof one === 'string' && one !== '' && one !== '-';
  const isList = Array.isArray(given) && given.length > 0 && first !== undefined;
  if (isList && given.every(isOrder)) return given;
  throw damaged(
    'thenBy',
    given,
    'a list of names of fields, with or without a minus, beside order',
  );
}

function readFields(given: unknown): readonly string[] {
  const isList = Array.isArray(given) && given.length > 0;
  if (isList && given.every((name) => typeof name === 'string')) return given;
  throw damaged('fields', given, 'a list of names of fields');
}

function readNumber(name: string, given: unknown, least: number): number {
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= least) return given;
  throw damaged(name, given, `a whole number from ${least}`);
}

function readToken(given: unknown): string {
  if (typeof given === 'string' && given !== '') return given;
  throw damaged('pageToken', given, 'the token of a page');
}

function readSize(given: unknown): PageSize {
  const size = PAGE_SIZES.find((one) => one === given);
  if (size !== undefined) return size;
  throw damaged('size', given, `one of ${PAGE_SIZES.join(', ')}`);
}
