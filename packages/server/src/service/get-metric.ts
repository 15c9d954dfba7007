import { checkBillingContext } from '../auth/billing-context.ts';
import type { MetricVersion } from '../domain/metric.ts';
import type { MetricRequest } from '../domain/metric-request.ts';
import { findMetric } from './find-in-catalog.ts';
import type { MetricExtent } from './metric-extent.ts';
import { runUntilDeadline } from './run-until-deadline.ts';
import type { Call, ServiceContext } from './service-context.ts';

/** A metric as it is now, with what its values cover. */
export type MetricDescription = {
  readonly version: MetricVersion;
  readonly extent: MetricExtent;
};

/** One metric. Its report (SearchMetricReport) says the same of its values. */
export async function getMetric(
  context: ServiceContext,
  request: MetricRequest,
  call: Call,
): Promise<MetricDescription> {
  checkBillingContext(call.caller, request.billingContext);
  const version = findMetric(context.catalogFor(call.caller).snapshot(), request);
  return runUntilDeadline(
    { callerSignal: call.signal, timeoutMs: context.queryTimeoutMs },
    async (signal) => ({ version, extent: await context.extents.read(version, signal) }),
  );
}
