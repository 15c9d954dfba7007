import { openAreas, pointValue } from '@locmetrics/ingest/enrich/point-values';
import type { PointSource } from '@locmetrics/ingest/manifest/point-source';

/** Measures what the fields that follow from a point cost: seconds for a million points in the continental United States. */
const POINTS = 1_000_000;
const SOURCES: readonly PointSource[] = [
  { kind: 'area', area: 'us_counties', value: 'id' },
  { kind: 'area', area: 'us_states', value: 'id' },
  { kind: 'h3', resolution: 9 },
  { kind: 'placekey' },
];

const points = Array.from({ length: POINTS }, () => ({
  latitude: 25 + Math.random() * 24,
  longitude: -125 + Math.random() * 58,
}));
const opening = performance.now();
const areas = await openAreas([{ name: 'us_counties' }, { name: 'us_states' }]);
process.stdout.write(`boundaries opened in ${Math.round(performance.now() - opening)} ms\n`);
for (const source of SOURCES) {
  const compute = pointValue(source, areas);
  const started = performance.now();
  let present = 0;
  for (const { latitude, longitude } of points) {
    if (compute(latitude, longitude) !== null) present += 1;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  process.stdout.write(`${JSON.stringify(source)}: ${seconds} s, ${present} with a value\n`);
}
