import { create } from '@bufbuild/protobuf';
import { metricV1 } from '@locmetrics/contract/grpc';
import { dateParts } from '../domain/calendar-date.ts';
import type { PeriodFilter } from '../domain/period.ts';

/** A Period whose open sides are not set. */
export function toPeriodMessage({ start, end }: PeriodFilter): metricV1.Period {
  return create(metricV1.PeriodSchema, {
    start: start === undefined ? undefined : dateParts(start),
    end: end === undefined ? undefined : dateParts(end),
  });
}
