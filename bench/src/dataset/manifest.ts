/** Declares the files of the dataset to the server. */
export const MANIFEST = `format: 1
products:
  bench: { display_name: Benchmark }
datasets:
  bench.places:
    files: places.parquet
    key: [location_id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      location_id: { type: string }
      location_name: { type: string }
      category: { type: string }
      brand: { type: string }
      street_address: { type: string }
      city: { type: string }
      region: { type: string, searchable: true }
      postal_code: { type: string }
      iso_country_code: { type: string }
      latitude: { type: float }
      longitude: { type: float }
      us_state_2020: { type: string }
      us_state: { type: string }
      us_county_2020: { type: string }
      us_county: { type: string }
      us_cbsa_2023: { type: string }
      us_cbsa: { type: string }
      us_tract_2020: { type: string }
      us_block_group_2020: { type: string }
      h3: { type: string }
      floor_area: { type: integer, sorted: true }
      is_obfuscated: { type: boolean }
  bench.visits:
    files: visits.parquet
    key: [location_id, observation_start_date]
    period: { start: observation_start_date, end: observation_end_date }
    fields:
      location_id: { type: string }
      observation_start_date: { type: date }
      observation_end_date: { type: date }
      visits: { type: integer, sorted: true }
      visitors: { type: integer }
      median_minutes: { type: float }
  bench.long_visits:
    files: long_visits.parquet
    key: [location_id, observation_start_date]
    period: { start: observation_start_date, end: observation_end_date }
    fields:
      location_id: { type: string }
      observation_start_date: { type: date }
      observation_end_date: { type: date }
      visits: { type: integer }
      visitors: { type: integer }
      median_minutes: { type: float }
  bench.names:
    files: names.parquet
    key: [name_id]
    fields:
      name_id: { type: integer }
      name: { type: string, searchable: true }
  bench.counties:
    files: counties.parquet
    key: [county]
    period: { start: year_start, end: year_end }
    outline: outline
    fields:
      county: { type: string }
      name: { type: string }
      year_start: { type: date }
      year_end: { type: date }
      people: { type: integer }
      outline: { type: string }
layers:
  counties: { feature_display_name: County, dataset: bench.counties, feature_id: county, name: name }
  places:
    feature_display_name: Place
    dataset: bench.places
    feature_id: location_id
    name: location_name
    address_components:
      street_address: { value: street_address }
      city: { value: city, kind: taxonomy }
      postal_code: { value: postal_code, kind: taxonomy }
      us_state_2020: { value: us_state_2020, short_name: region, display_name: us_state, kind: map }
      us_county_2020: { value: us_county_2020, display_name: us_county, kind: map }
      us_cbsa_2023: { value: us_cbsa_2023, display_name: us_cbsa, kind: map }
      us_tract_2020: { value: us_tract_2020, kind: map }
      us_block_group_2020: { value: us_block_group_2020, kind: map }
      iso_country_code: { value: iso_country_code, kind: taxonomy }
      h3: { value: h3, kind: taxonomy }
      category: { value: category, kind: taxonomy }
      brand: { value: brand, kind: taxonomy }
      is_obfuscated: { value: is_obfuscated, kind: taxonomy }
metrics:
${metricOf('visits_monthly', 'visits')}${metricOf('visits_monthly_long', 'long_visits')}  bench/county_people:
    dataset: bench.counties
    layer: counties
    feature_id: county
    cadence: yearly
    measure: { name: people, field: people, kind: count, unit: People }
`;

/** A metric over a dataset of visits. */
function metricOf(id: string, dataset: string): string {
  return `  bench/${id}:
    dataset: bench.${dataset}
    layer: places
    feature_id: location_id
    cadence: monthly
    measure: { name: visit_count, field: visits, kind: count, unit: People, nullable: false }
    supporting_values:
      - { name: visitor_count, field: visitors, kind: count, unit: People }
      - { name: median_duration, field: median_minutes, kind: number, unit: Minutes }
    default_filters: { is_obfuscated: false }
`;
}

/** The components of a feature, in the order of the manifest. */
export const COMPONENTS = [
  'street_address',
  'city',
  'postal_code',
  'us_state_2020',
  'us_county_2020',
  'us_cbsa_2023',
  'us_tract_2020',
  'us_block_group_2020',
  'iso_country_code',
  'h3',
  'category',
  'brand',
  'is_obfuscated',
] as const;
