import { ServiceError } from '@locmetrics/core/errors/service-error';
import { planRecordsStatistics, STATISTICS_DATES_MAX } from '@locmetrics/core/plan/plan-statistics';
import type { ListRecordsStatisticsRequest } from '@locmetrics/core/requests/catalog-request';
import { checkBillingContext } from '../auth/billing-context.ts';
import { inSpan } from '../observe/request-scope.ts';
import { findCurrentVersion } from './find-version.ts';
import { takeSlot } from './page-steps.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** The counts of one observation date. */
export type RecordsStatistics = {
  readonly observationDate: string;
  readonly totalRows: number;
  readonly uniqueLocationIds: number;
};

/** The number of records and of different places of each observation date, by ascending date. */
export async function listRecordsStatistics(
  context: ServiceContext,
  request: ListRecordsStatisticsRequest,
  call: Call,
): Promise<readonly RecordsStatistics[]> {
  // Refused: a foreign billing context.
  checkBillingContext(call.caller, request.billingContext);
  // The caller's part of the catalog. Refused: an unknown dataset.
  const { catalogFor, engine } = context;
  const version = findCurrentVersion(request.dataReferenceName, catalogFor(call.caller).snapshot());
  // Refused: a full queue, a missed deadline.
  const page = { token: undefined, pageSize: STATISTICS_DATES_MAX };
  const slot = await takeSlot(context, call, page);
  try {
    // Refused: a dataset without a period, an unknown field or operator, a value of a wrong type, an option.
    const plan = inSpan('plan', () => planRecordsStatistics(request, version));
    // Refused: too many queries at once, too many dates.
    const found = await engine.run(plan, slot.signal);
    if (found.isCutOff || found.total > STATISTICS_DATES_MAX) throw tooManyDates();
    return found.rows.map(([date, rows, locations]) => ({
      observationDate: String(date),
      totalRows: Number(rows),
      uniqueLocationIds: Number(locations),
    }));
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}

function tooManyDates(): ServiceError {
  return new ServiceError(
    'TOO_MANY_GROUPS',
    `The records have more than ${STATISTICS_DATES_MAX} observation dates.`,
    { hint: 'Filter them by the start of the period.' },
  );
}
