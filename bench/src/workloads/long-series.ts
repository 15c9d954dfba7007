import { LONG_MONTHS, placeId } from '../dataset/world.ts';
import { drawIndex } from '../seeded-random.ts';
import { ORGANISATION } from './organisation.ts';
import { seriesShapes } from './series.ts';
import type { RequestWorkload } from './workload.ts';

/** W1long: a series of 45 years, in one answer. */
export const LONG_SERIES: RequestWorkload = {
  id: 'W1long',
  title: `series of one place of ${LONG_MONTHS} months`,
  protocol: 'http',
  shapes: seriesShapes({
    draw: (random, { world }) => placeId(drawIndex(random, world.longPlaces)),
    // Without a page size, a page would have 100 values.
    path: `/v1/catalogs/bench/metrics/visits_monthly_long/values?billingContext=${ORGANISATION}&pageSize=1000`,
    file: 'long_visits',
    table: 'long_visits',
    sameShape: 'long_series',
  }),
};
