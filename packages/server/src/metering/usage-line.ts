import type { UsageRecord } from '@locmetrics/core/domain/usage-record';

/** A record as a line of a segment: JSON, so that an operator can read it. */
export function toUsageLine(record: UsageRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Parses a line without its line end; undefined if it is not a record, as after a power failure. */
export function readUsageLine(line: string): UsageRecord | undefined {
  const given = parseObject(line);
  if (given === undefined) return undefined;
  const { time, organisationId, tokenId, operation, resource, rows, bytes, requestId } = given;
  if (!isCount(time) || !isCount(rows) || !isCount(bytes)) return undefined;
  if (typeof organisationId !== 'string' || typeof tokenId !== 'string') return undefined;
  if (typeof operation !== 'string' || typeof resource !== 'string') return undefined;
  if (typeof requestId !== 'string') return undefined;
  const record = { time, organisationId, tokenId, operation, resource, rows, bytes, requestId };
  return given.isContinued === true ? { ...record, isContinued: true } : record;
}

function parseObject(text: string): { readonly [Name in keyof UsageRecord]?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
