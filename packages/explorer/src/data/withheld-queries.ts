import type { MetricValue, MetricValuesRequest, ValueSpec } from '@locmetrics/client';
import { queryOptions } from '@tanstack/react-query';
import type { Session } from '../session/session.ts';

/** More values without a number than this are not looked at: their places are said to have no value, or a withheld one. */
export const LOOKED_AT_MAX = 5_000;

/** Whether the value of a measure is withheld from the caller. Only where the owner of the data marks such values. */
export function isWithheld(
  { supportingValuesList, flagsList }: Pick<MetricValue, 'supportingValuesList' | 'flagsList'>,
  { name }: Pick<ValueSpec, 'name'>,
): boolean {
  return flagsList.includes(supportingValuesList.length === 0 ? 'withheld' : `withheld_${name}`);
}

/** The ids of the features of which a value of a measure is withheld, of the values of a request. */
export function withheldQuery(
  { client }: Pick<Session, 'client'>,
  { request, measure }: { readonly request: MetricValuesRequest; readonly measure: ValueSpec },
) {
  return queryOptions({
    queryKey: ['withheld', request, measure.name],
    queryFn: async ({ signal }): Promise<ReadonlySet<string>> => {
      const found = new Set<string>();
      const values = client.metricValues(
        { ...request, pageSize: LOOKED_AT_MAX, skipGeo: true, addressComponentWhitelist: [''] },
        { signal },
      );
      for await (const { valuesList, totalSize } of values.pages()) {
        if (totalSize > LOOKED_AT_MAX) break;
        for (const value of valuesList) {
          if (isWithheld(value, measure)) found.add(value.mapFeatureV2.featureId);
        }
      }
      return found;
    },
  });
}
