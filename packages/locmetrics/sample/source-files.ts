/** A CSV file to read: the name of its table, and its path in the folder of sources. */
export type SourceFile = { readonly table: string; readonly path: string };

/** All source files of the sample. `ATTRIBUTION.md` names the origin of each. */
export const sourceFiles: readonly SourceFile[] = [
  { table: 'park', path: 'nps/places.csv' },
  { table: 'park_geography', path: 'nps/places_geo.csv' },
  { table: 'park_month', path: 'nps/foot_traffic_month.csv' },
  { table: 'state', path: 'reference/us_state_2020_population_centers.csv' },
  { table: 'county', path: 'reference/us_county_2020_population_centers.csv' },
  { table: 'block_group', path: 'reference/us_block_group_2020_population_centers.csv' },
  { table: 'mobility_day', path: 'dl_mobility/DL-us-mobility-daterow.csv.gz' },
];
