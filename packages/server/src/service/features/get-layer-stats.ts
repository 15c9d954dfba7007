import { planLayerStats } from '@locmetrics/core/plan/plan-statistics';
import type { GetLayerStatsRequest } from '@locmetrics/core/requests/catalog-request';
import { checkBillingContext } from '../../auth/billing-context.ts';
import { inSpan } from '../../observe/request-scope.ts';
import { findCurrentVersion } from '../find-version.ts';
import { takeSlot } from '../page-steps.ts';
import type { Call, ServiceContext } from '../service-context.ts';

/** The counts of one observation date. */
export type LayerStats = {
  readonly locationCount: number;
  /** In the order of the request. */
  readonly stats: readonly { readonly name: string; readonly distinctCount: number }[];
};

/** The number of places with a record on an observation date, and of the different values of fields. */
export async function getLayerStats(
  context: ServiceContext,
  request: GetLayerStatsRequest,
  call: Call,
): Promise<LayerStats> {
  // Refused: a foreign billing context.
  checkBillingContext(call.caller, request.billingContext);
  // The caller's part of the catalog. Refused: an unknown dataset.
  const { catalogFor, engine } = context;
  const version = findCurrentVersion(request.dataReferenceName, catalogFor(call.caller).snapshot());
  // Refused: a full queue, a missed deadline.
  const slot = await takeSlot(context, call, { token: undefined, pageSize: 1 });
  try {
    // Refused: a dataset without a period, a date, an unknown field or operator, a value of a wrong type, an option.
    const plan = inSpan('plan', () => planLayerStats(request, version));
    // Refused: too many queries at once.
    const { rows } = await engine.run(plan, slot.signal);
    const [locationCount = 0, ...counts] = (rows[0] ?? []).map(Number);
    const [, ...dimensions] = plan.aggregates;
    return {
      locationCount,
      stats: dimensions.map(({ name }, index) => ({ name, distinctCount: counts[index] ?? 0 })),
    };
  } catch (error) {
    throw slot.fail(error);
  } finally {
    slot.end();
  }
}
