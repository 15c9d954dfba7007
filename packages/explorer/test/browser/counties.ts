import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOnSample, type Sample } from '../../../locmetrics/test/clients/start-sample.ts';
import { temporaryFolder } from '../../../locmetrics/test/support/temporary-folder.ts';

/** Publishes a metric of counties: their mobility on each day of four months. */
export function publishCounties(sample: Sample): void {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'locmetrics.yaml'), MANIFEST);
  writeFileSync(join(folder, 'days.csv'), daysOfCounties());
  runOnSample(sample, ['publish', join(folder, 'locmetrics.yaml')]);
}

const MANIFEST = `format: 1
products:
  counties: { display_name: Counties }
datasets:
  counties.places:
    files: days.csv
    rows: [{ duplicates: first }]
    key: [fips]
    point: { latitude: latitude, longitude: longitude }
    fields:
      fips: { type: string }
      name: { type: string }
      state: { type: string }
      latitude: { type: float }
      longitude: { type: float }
  counties.days:
    files: days.csv
    key: [fips, day]
    period: { start: day, end: day }
    fields:
      fips: { type: string }
      day: { type: date }
      mobility: { type: integer, additive: none }
layers:
  counties:
    display_name: Counties
    feature_display_name: County
    dataset: counties.places
    feature_id: fips
    name: name
    address_components:
      state: { value: state, kind: taxonomy, label: State }
metrics:
  counties/mobility:
    display_name: Mobility of counties
    dataset: counties.days
    layer: counties
    feature_id: fips
    cadence: daily
    measure: { name: mobility, display_name: Mobility, field: mobility, kind: count, unit: Percent }
`;
const COUNTIES = 30;
const FALLEN = 17;

/** The id of the county that fell most in April. */
export const FALLEN_COUNTY = String(1000 + FALLEN);

/** Days of four months. In April every county falls by a tenth, and one by more. */
export function daysOfCounties(): string {
  const rows = ['fips,name,state,latitude,longitude,day,mobility'];
  for (let county = 0; county < COUNTIES; county += 1) {
    const fips = String(1000 + county);
    const state = county % 2 === 0 ? 'Alabama' : 'Oregon';
    const angle = (county / (COUNTIES - 1)) * 2 * Math.PI;
    // On a circle around the one that fell, which is in the middle of the map.
    const radius = county === FALLEN ? 0 : 5;
    const point = [radius * Math.sin(angle), radius * Math.cos(angle)].join(',');
    for (let day = 0; day < 122; day += 1) {
      const date = new Date(Date.UTC(2020, 2, 1 + day)).toISOString().slice(0, 10);
      const usual = 1000 + county * 10;
      const isApril = date.startsWith('2020-04');
      const value = isApril ? usual * (county === FALLEN ? 0.4 : 0.9) : usual;
      // Names repeat: the state tells them apart.
      rows.push(`${fips},County ${county % 15},${state},${point},${date},${Math.round(value)}`);
    }
  }
  return `${rows.join('\n')}\n`;
}
