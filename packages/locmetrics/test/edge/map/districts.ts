/** A GeoJSON square in degrees. */
export function square(west: number, south: number, size: number) {
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [west + size, south],
        [west + size, south + size],
        [west, south + size],
        [west, south],
      ],
    ],
  };
}

/** Each with a name, a city and the south-western corner of its square of one degree. */
const DISTRICTS = [
  ['d1', 'Harbour', 'Bern', 7, 46],
  ['d2', 'Station', 'Bern', 8, 46],
  ['d3', 'Castle', 'Biel', 7, 47],
  ['d4', 'Meadow', 'Biel', 8, 47],
] as const;

const districts = {
  type: 'FeatureCollection',
  features: [
    ...DISTRICTS.map(([id, name, city, west, south]) => ({
      type: 'Feature',
      properties: { id, name, city },
      geometry: square(west, south, 1),
    })),
    { type: 'Feature', properties: { id: 'd5', name: 'Nowhere', city: 'Bern' }, geometry: null },
  ],
};

/** Districts with outlines, one without, and their visits: more in each month and each district. */
export const DISTRICT_FILES = {
  'locmetrics.yaml': `format: 1
datasets:
  city.districts:
    display_name: Districts
    files: districts.geojson
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    outline: outline
    fields:
      id: { type: string }
      name: { type: string, searchable: true }
      city: { type: string }
      latitude: { type: float, column: $latitude }
      longitude: { type: float, column: $longitude }
      outline: { type: string, column: $outline }
  city.visits:
    files: visits.csv
    key: [district, month, age]
    period: { start: month, end: month_end }
    fields:
      district: { type: string }
      month: { type: date }
      month_end: { type: date, column: month, as: month }
      age: { type: string }
      visits: { type: integer, suppress: { below: 5 } }
      mood: { type: string }
  city.plain:
    files: plain.csv
    key: [id]
    fields:
      id: { type: string }
layers:
  districts:
    dataset: city.districts
    display_name: Districts
    attribution: The city.
    feature_id: id
    name: name
    address_components:
      city: { value: city, kind: map }
  plain:
    dataset: city.plain
    feature_id: id
    name: id
metrics:
  city/visits:
    dataset: city.visits
    layer: districts
    feature_id: district
    cadence: monthly
    measure: { name: visits, field: visits, kind: count }
    dimensions:
      age: { value: age, default: all }
  city/moods:
    dataset: city.visits
    layer: districts
    feature_id: district
    cadence: monthly
    measure: { name: visits, field: visits, kind: count }
    dimensions:
      age: { value: age, default: all }
      mood: { value: mood }
  city/moves:
    dataset: city.visits
    layer: districts
    feature_id: district
    related: { layer: districts, feature_id: mood, relation_type: origin-destination }
    cadence: monthly
    measure: { name: visits, field: visits, kind: count }
    dimensions:
      age: { value: age, default: all }
  city/plain:
    dataset: city.plain
    layer: plain
    feature_id: id
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: id, field: id, kind: category }
`,
  'districts.geojson': JSON.stringify(districts),
  'visits.csv': [
    'district,month,age,visits,mood',
    ...['2024-01-01', '2024-02-01'].flatMap((month, later) =>
      DISTRICTS.flatMap(([id], index) =>
        ['all', 'young'].map(
          (age, part) =>
            `${id},${month},${age},${(index + 1) * (later === 0 ? 10 : 2) - part},${age === 'all' ? 'good' : 'calm'}`,
        ),
      ),
    ),
    '',
  ].join('\n'),
  'plain.csv': 'id\na\n',
};
