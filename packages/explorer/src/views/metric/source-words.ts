import type { Metric } from '@locmetrics/client';
import { formatDay } from '../../format/dates.ts';

/** Where the values of a metric come from: US National Park Service, nps/foot_traffic_monthly of Nov 28, 2026. */
export function sourceWords({ catalogId, id, layer, publishedTime }: Metric): string {
  const owner = (layer?.spec.attribution ?? '').replace(/\.$/, '');
  const published = formatDay(publishedTime.slice(0, 10));
  return `${owner === '' ? '' : `${owner}, `}${catalogId}/${id} of ${published}`;
}
