import type { ListRecordsRequest } from '@locmetrics/client';
import { damaged, readSelection, type Selection, toBoundingBox } from './selection.ts';

/** The state of the view of records, as the address has it. */
export type RecordsAddress = Selection & {
  /** A field, after a minus if its greatest values come first. Absent: the order of the key. */
  readonly order?: string | undefined;
  /** Absent: the fields that are included by default. */
  readonly fields?: readonly string[] | undefined;
  /** How many records a page has. */
  readonly size?: PageSize | undefined;
  /** The number of the record of the page that is open, from 1. */
  readonly record?: number | undefined;
} & PageAddress;

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
  const { order, fields, size, record, page, pageToken } = query;
  return {
    ...readSelection(query),
    ...(order === undefined ? {} : { order: readOrder(order) }),
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
  const { filters, order, fields, size = DEFAULT_PAGE_SIZE } = address;
  const boundingBox = toBoundingBox(address);
  const options = {
    ...(boundingBox === undefined ? {} : { boundingBox }),
    ...(order === undefined ? {} : { orderBy: parseOrder(order) }),
  };
  return {
    dataReferenceName: dataset,
    ...(fields === undefined ? {} : { fields }),
    ...(filters === undefined || filters.length === 0 ? {} : { filters }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    pageSize: size,
    typedValues: true,
  };
}

export function parseOrder(order: string): {
  readonly fieldName: string;
  readonly direction: 'ASC' | 'DESC';
} {
  return order.startsWith('-')
    ? { fieldName: order.slice(1), direction: 'DESC' }
    : { fieldName: order, direction: 'ASC' };
}

/** The order after one more press on a heading: ascending, descending, none. */
export function nextOrder(order: string | undefined, field: string): string | undefined {
  if (order === field) return `-${field}`;
  return order === `-${field}` ? undefined : field;
}

function readOrder(given: unknown): string {
  if (typeof given === 'string' && given !== '' && given !== '-') return given;
  throw damaged('order', given, 'the name of a field, or a minus and the name');
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
