import { create } from '@bufbuild/protobuf';
import { metricV1, unatype } from '@locmetrics/contract/grpc';
import type { PeriodFilter } from '../domain/period.ts';

/** A Date of a day `YYYY-MM-DD`. */
function toDateMessage(text: string): unatype.Date {
  const [year, month, day] = text.split('-').map(Number);
  return create(unatype.DateSchema, { year: year ?? 0, month: month ?? 0, day: day ?? 0 });
}

/** A Period whose open sides are not set. */
export function toPeriodMessage({ start, end }: PeriodFilter): metricV1.Period {
  return create(metricV1.PeriodSchema, {
    ...(start === undefined ? {} : { start: toDateMessage(start) }),
    ...(end === undefined ? {} : { end: toDateMessage(end) }),
  });
}
