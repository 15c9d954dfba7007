/**
 * A town in three states that differ only in what the organisations of `withheld-values.test.ts` may not see:
 * - `real`: the withheld records and values exist,
 * - `other`: they exist with other values, among them the largest, on other days, and more of them,
 * - `absent`: they do not exist.
 */
export const STATES = ['real', 'other', 'absent'] as const;
export type State = (typeof STATES)[number];

const MONTHS = ['2024-01', '2024-02', '2024-03'] as const;
const AGES = ['all', 'old', 'young'] as const;
const LARGEST = '9223372036854775807';

/** One of three texts, by the state. */
const pick = (state: State, real: string | number, other: string | number): string =>
  ({ real: String(real), other: String(other), absent: '' })[state];

export function filesOf(state: State): Readonly<Record<string, string>> {
  const places = [...shownPlaces(state), ...withheldPlaces(state)];
  const visits = [...shownVisits(state), ...withheldVisits(state)];
  const write = (rows: readonly Row[]): string => {
    const names = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) => names.map((name) => row[name]).join(','));
    return [names.join(','), ...lines, ''].join('\n');
  };
  return { 'locmetrics.yaml': MANIFEST, 'places.csv': write(places), 'visits.csv': write(visits) };
}

type Row = Readonly<Record<string, string | number | boolean>>;

const place = (id: string, region: string, name: string): Row => ({
  ...{
    id,
    name,
    region,
    region_name: `Region ${region}`,
    floors: 10,
    workers: 10,
    is_open: true,
    owner: '',
  },
  ...{ latitude: 47, longitude: 8 },
});

/** Places that are shown. Their owner is withheld, the workers of two are a small cell, and `a4` is closed, which is hidden. */
function shownPlaces(state: State): readonly Row[] {
  const owner = pick(state, 'Ann', 'Bea');
  return [
    { ...place('a1', 'A', 'Town hall'), owner },
    { ...place('a2', 'A', 'Station'), owner, workers: pick(state, 1, 4) },
    { ...place('a3', 'A', 'Museum'), owner, workers: pick(state, 4, 2) },
    { ...place('a4', 'A', 'Library'), owner, is_open: false },
  ];
}

/** `a5` is not among the listed features, the others are not in the granted region, and one is the total of all. */
function withheldPlaces(state: State): readonly Row[] {
  switch (state) {
    case 'real':
      return [
        place('a5', 'A', 'Port'),
        place('b1', 'B', 'Mill'),
        place('b2', 'B', 'Barn'),
        { ...place('every', 'B', 'Total'), floors: 90, workers: 90 },
      ];
    case 'other':
      return [
        { ...place('a5', 'A', 'A first name'), region_name: 'A first region' },
        { ...place('b1', 'B', 'Zoo'), floors: LARGEST, workers: LARGEST, latitude: 60 },
      ];
    case 'absent':
      return [];
  }
}

const visit = (id: string, start: string, end: string, age: string): Row => ({
  ...{ place: id, start, end, age, age_name: `People ${age}`, band: 'x' },
  ...{ region: 'A', visits: 0, guests: 7, stay: 20.5, staff: '', note: 'n', is_rough: false },
});

const inMonth = (id: string, month: string, age: string): Row =>
  visit(id, `${month}-01`, `${month}-${month === '2024-02' ? '29' : '31'}`, age);

/** Records that are shown. Some of their values are small cells, or of hidden fields. */
function shownVisits(state: State): readonly Row[] {
  return ['a1', 'a2', 'a3'].flatMap((id, index) =>
    MONTHS.flatMap((month, ofMonth) =>
      AGES.map((age, ofAge) => ({
        ...inMonth(id, month, age),
        visits:
          (index + ofMonth + ofAge) % 3 === 0
            ? pick(state, index, 4)
            : 10 * (3 - ofAge) + 7 * index + ofMonth,
        staff: pick(state, index * 3, LARGEST),
        note: pick(state, `secret ${index}`, `other ${ofMonth}`),
        is_rough: pick(state, 'true', 'false'),
      })),
    ),
  );
}

/** Of hidden places, of a closed one, before the granted period, and of a hidden dimension. */
function withheldVisits(state: State): readonly Row[] {
  const [id, count] = state === 'real' ? ['b1', 50] : ['a5', LARGEST];
  switch (state) {
    case 'real':
      return [
        ...MONTHS.flatMap((month) =>
          AGES.map((age) => ({ ...inMonth(id, month, age), region: 'B', visits: count })),
        ),
        ...MONTHS.map((month) => ({ ...inMonth('every', month, 'all'), region: 'B', visits: 900 })),
        ...AGES.map((age) => ({ ...inMonth('a4', '2024-01', age), visits: 33 })),
        ...AGES.map((age) => ({ ...visit('a1', '2023-12-01', '2023-12-31', age), visits: 5 })),
        ...AGES.map((age) => ({ ...inMonth('a2', '2024-01', age), band: 'y', visits: 77 })),
      ];
    case 'other':
      return [
        // A new year, ages that nobody else has, and days that are no months.
        ...['2024-06-01', '2024-06-02', '2024-06-03', '2025-01-01'].map((day) => ({
          ...visit('b1', day, day, 'teen'),
          ...{ region: 'B', visits: LARGEST, age_name: 'A first name' },
        })),
        ...AGES.map((age) => ({ ...inMonth(id, '2024-02', age), visits: count })),
        ...AGES.map((age) => ({ ...inMonth('a4', '2024-03', age), visits: 5 })),
        ...AGES.map((age) => ({ ...visit('a3', '2023-03-01', '2023-03-31', age), visits: 6 })),
        ...AGES.map((age) => ({
          ...inMonth('a1', '2024-03', age),
          ...{ band: 'z', visits: 6, age_name: 'A first name' },
        })),
      ];
    case 'absent':
      return [];
  }
}

const MANIFEST = `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      name: { type: string, searchable: true }
      region: { type: string }
      region_name: { type: string }
      floors: { type: integer }
      workers: { type: integer, sorted: true, suppress: { below: 5 } }
      is_open: { type: boolean }
      owner: { type: string }
      latitude: { type: float }
      longitude: { type: float }
  town.visits:
    files: visits.csv
    key: [place, start, age, band]
    period: { start: start, end: end }
    totals: { age: all, place: every }
    fields:
      place: { type: string }
      start: { type: date }
      end: { type: date }
      age: { type: string }
      age_name: { type: string }
      band: { type: string }
      region: { type: string }
      visits: { type: integer, sorted: true, suppress: { below: 5 } }
      guests: { type: integer, additive: places }
      stay: { type: float }
      staff: { type: integer }
      note: { type: string }
      is_rough: { type: boolean }
  # The same records without a metric, and so without a declared cadence.
  town.log:
    files: visits.csv
    key: [place, start, age, band]
    period: { start: start, end: end }
    fields:
      place: { type: string }
      start: { type: date }
      end: { type: date }
      age: { type: string }
      band: { type: string }
      guests: { type: integer, additive: places }
layers:
  places:
    dataset: town.places
    feature_id: id
    name: name
    address_components:
      region: { value: region, display_name: region_name, kind: map }
      floors: { value: floors, kind: count }
      owner: { value: owner, kind: free_form }
      is_open: { value: is_open, kind: taxonomy }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: place
    cadence: monthly
    measure: { name: count, field: visits, kind: count }
    supporting_values:
      - { name: guests, field: guests, kind: count }
      - { name: stay, field: stay, kind: number }
      - { name: staff, field: staff, kind: count }
    dimensions:
      age: { value: age, display_name: age_name, default: all }
      band: { value: band, default: x }
    flags: { rough: is_rough }
    default_filters: { is_open: true }
`;
