import {
  ADMIN_USAGE_GROUP_NAMES,
  type AdminUsageQuery,
  USAGE_GROUP_NAMES,
} from '@locmetrics/contract';
import { isCalendarDate } from '@locmetrics/core/dates/calendar-date';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { UsageRequest } from '../../../service/read-usage.ts';

/** Parses the usage request of an organisation. */
export function readUsageQuery(
  query: AdminUsageQuery,
  organisationId: string,
  now: Date,
): UsageRequest {
  const groupBy = readGroups(query.groupBy ?? ['day'], USAGE_GROUP_NAMES);
  return { ...readCommon(query, now), groupBy, organisationId };
}

/** Parses the usage request of an operator. */
export function readAdminUsageQuery(query: AdminUsageQuery, now: Date): UsageRequest {
  const groupBy = readGroups(query.groupBy ?? ['organisation'], ADMIN_USAGE_GROUP_NAMES);
  return { ...readCommon(query, now), groupBy, organisationId: query.organisationId };
}

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

function readCommon({ from, to, pageSize = 0, pageToken = '' }: AdminUsageQuery, now: Date) {
  const last = readDay(to ?? now.toISOString().slice(0, 'YYYY-MM-DD'.length), 'to');
  const first = readDay(from ?? `${last.slice(0, 'YYYY-MM'.length)}-01`, 'from');
  if (first > last) {
    throw ServiceError.atPointer(
      'INVALID_PERIOD',
      '/from',
      `The first day ${first} is after the last day ${last}.`,
      'Swap from and to.',
    );
  }
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  if (days > DAYS_MAX) {
    throw ServiceError.atPointer(
      'INVALID_PERIOD',
      '/from',
      `The period from ${first} to ${last} has ${days} days, more than ${DAYS_MAX}.`,
      'Send one request per year.',
    );
  }
  return { from: first, to: last, pageSize, pageToken };
}

function readDay(text: string, name: string): string {
  if (isCalendarDate(text)) return text;
  throw ServiceError.atPointer(
    'INVALID_PERIOD',
    `/${name}`,
    `'${text.slice(0, 100)}' is not a calendar date.`,
    `Write for example ${name}=2026-01-31.`,
  );
}

function readGroups<Name extends string>(
  given: readonly string[],
  known: readonly Name[],
): readonly Name[] {
  const names = given.flatMap((one) => one.split(',')).map((name) => name.trim());
  const groups = names.map((name) => {
    const found = known.find((one) => one === name);
    if (found !== undefined) return found;
    throw ServiceError.atPointer(
      'INVALID_OPTION',
      '/groupBy',
      `Usage cannot be grouped by '${name.slice(0, 100)}'.`,
      nameHint(name, known),
    );
  });
  // A repeated group is only one column.
  return [...new Set(groups)];
}
