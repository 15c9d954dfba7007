import { COMPONENTS } from '../dataset/manifest.ts';
import { SERIES, SERIES_SOURCE, seriesShapes } from './series.ts';
import type { RequestWorkload } from './workload.ts';

const { ours, postgrest } = Object.fromEntries(
  seriesShapes({
    ...SERIES_SOURCE,
    path: `${SERIES_SOURCE.path}&addressComponentWhitelist=&skipGeo=true`,
    hidden: new Set(COMPONENTS),
  }),
);

/** W1slim: W1 without components and points, beside the plain rows of PostgREST. */
export const SLIM_SERIES: RequestWorkload = {
  ...SERIES,
  id: 'W1slim',
  title: 'series of one place, values alone',
  shapes: new Map(
    Object.entries({ ours, postgrest }).flatMap(([name, shape]) =>
      shape === undefined ? [] : [[name, shape]],
    ),
  ),
};
