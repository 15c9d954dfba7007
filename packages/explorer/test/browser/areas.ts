/**
 * Eight zones in two districts, all with outlines; visits and moods of three months, of which small numbers are withheld with a mark;
 * people by sex and age, with their totals; seats of halls, with those of all zones.
 */
export function areaFiles(): Readonly<Record<string, string>> {
  const zones = Array.from({ length: ZONES }, (_, zone) => {
    const [west, south] = [(zone % 4) * 2, Math.floor(zone / 4) * 2];
    return area(
      { zone: `z${zone + 1}`, name: `Zone ${zone + 1}`, district: west < 4 ? 'west' : 'east' },
      [west, south, west + 2, south + 2],
    );
  });
  const districts = [
    area({ district: 'west', name: 'West side', homes: 70 }, [0, 0, 4, 4]),
    area({ district: 'east', name: 'East side', homes: 30 }, [4, 0, 8, 4]),
  ];
  return {
    'locmetrics.yaml': MANIFEST,
    'zones.geojson': collection(zones),
    'districts.geojson': collection(districts),
    'visits.csv': visits(),
    'people.csv': people(),
    'halls.csv': halls(),
  };
}

const ZONES = 8;

/** The moods of 2,500 places in ten months: more values than the explorer counts. */
export function crowdFiles(): Readonly<Record<string, string>> {
  const rows = ['place,month,mood'];
  for (let month = 1; month <= 10; month += 1) {
    for (let place = 0; place < 2500; place += 1) {
      const mood = (place + month) % 3 === 0 ? 'busy' : 'calm';
      rows.push(`p${place},2025-${String(month).padStart(2, '0')},${mood}`);
    }
  }
  return { 'moods.csv': `${rows.join('\n')}\n`, 'locmetrics.yaml': CROWD_MANIFEST };
}

const CROWD_MANIFEST = `format: 1
products:
  crowd: { display_name: A crowd }
datasets:
  crowd.places:
    files: moods.csv
    rows: [{ duplicates: first }]
    key: [place]
    fields:
      place: { type: string }
  crowd.moods:
    files: moods.csv
    key: [place, month_start]
    period: { start: month_start, end: month_end }
    fields:
      place: { type: string }
      month_start: { type: date, column: month, format: YYYY-MM }
      month_end: { type: date, column: month, format: YYYY-MM, as: month }
      mood: { type: string }
layers:
  crowd: { dataset: crowd.places, feature_id: place, name: place }
metrics:
  crowd/moods:
    display_name: Moods of a crowd
    dataset: crowd.moods
    layer: crowd
    feature_id: place
    cadence: monthly
    measure: { name: mood, display_name: Mood, field: mood, kind: category }
`;

/** In May the visits of Zone 2 are withheld, those of Zone 3 are absent, and Zone 8 has no record. */
function visits(): string {
  const rows = ['zone,month,visits,staff,mood'];
  for (const [at, month] of ['2025-03', '2025-04', '2025-05'].entries()) {
    for (let zone = 1; zone <= ZONES; zone += 1) {
      if (at === 2 && zone === 8) continue;
      const count = at === 2 && zone === 2 ? 3 : at === 2 && zone === 3 ? '' : zone * 100 + at * 10;
      const mood = ['calm', 'busy', 'closed'][(zone + at) % 3];
      rows.push(`z${zone},${month},${count},${zone},${mood}`);
    }
  }
  return `${rows.join('\n')}\n`;
}

/** In each zone 20 of each sex and age, and so 80 people. */
function people(): string {
  const rows = ['zone,month,sex,age,people'];
  for (let zone = 1; zone <= ZONES; zone += 1) {
    for (const sex of ['Men', 'Women', "All 'sexes'"]) {
      for (const age of ['0', '18', '999']) {
        const count = 20 * (sex.startsWith('All') ? 2 : 1) * (age === '999' ? 2 : 1);
        rows.push(`z${zone},2025-05,${sex},${age},${count}`);
      }
    }
  }
  return `${rows.join('\n')}\n`;
}

/** The seats of each zone, and of all. */
function halls(): string {
  const zones = Array.from({ length: ZONES }, (_, zone) => `z${zone + 1},2025-05,5`);
  return ['zone,month,seats', ...zones, `all,2025-05,${5 * ZONES}`, ''].join('\n');
}

type Corners = readonly [west: number, south: number, east: number, north: number];

function area(properties: Readonly<Record<string, string | number>>, [w, s, e, n]: Corners) {
  const ring = [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ]; // prettier-ignore
  return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
}

function collection(features: readonly unknown[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}

const MANIFEST = `format: 1
products:
  areas: { display_name: Areas of a town }
datasets:
  areas.zones:
    display_name: Zones
    files: zones.geojson
    key: [zone]
    outline: outline
    fields:
      zone: { type: string }
      name: { type: string }
      district: { type: string }
      outline: { type: string, column: $outline }
  areas.districts:
    display_name: Districts
    files: districts.geojson
    key: [district]
    outline: outline
    point: { latitude: lat, longitude: lng }
    fields:
      lat: { type: float, column: $latitude }
      lng: { type: float, column: $longitude }
      district: { type: string }
      name: { type: string }
      homes: { type: integer }
      outline: { type: string, column: $outline }
  areas.visits:
    display_name: Visits of zones
    files: visits.csv
    key: [zone, month_start]
    period: { start: month_start, end: month_end }
    fields:
      zone: { type: string }
      month_start: { type: date, column: month, format: YYYY-MM }
      month_end: { type: date, column: month, format: YYYY-MM, as: month }
      visits: { type: integer, suppress: { below: 5, mark: true } }
      staff: { type: integer }
      mood: { type: string }
  areas.people:
    display_name: People of zones
    files: people.csv
    key: [zone, month_start, sex, age]
    totals: { sex: "All 'sexes'", age: "999" }
    period: { start: month_start, end: month_end }
    fields:
      zone: { type: string }
      month_start: { type: date, column: month, format: YYYY-MM }
      month_end: { type: date, column: month, format: YYYY-MM, as: month }
      sex: { type: string }
      age: { type: integer }
      people: { type: integer, additive: places }
  areas.halls:
    display_name: Halls of zones
    files: halls.csv
    key: [zone, month_start]
    totals: { zone: all }
    period: { start: month_start, end: month_end }
    fields:
      zone: { type: string }
      month_start: { type: date, column: month, format: YYYY-MM }
      month_end: { type: date, column: month, format: YYYY-MM, as: month }
      seats: { type: integer, additive: places }
layers:
  zones:
    dataset: areas.zones
    feature_id: zone
    name: name
    feature_display_name: Zone
    address_components:
      district: { value: district, kind: map, map_layer: districts, label: District }
  districts:
    dataset: areas.districts
    feature_id: district
    name: name
    feature_display_name: District
metrics:
  areas/visits:
    display_name: Visits of zones
    dataset: areas.visits
    layer: zones
    feature_id: zone
    cadence: monthly
    measure: { name: visits, display_name: Visits, field: visits, kind: count, unit: People }
    supporting_values: [{ name: staff, display_name: Staff, field: staff, kind: count }]
  areas/halls:
    display_name: Halls of zones
    dataset: areas.halls
    layer: zones
    feature_id: zone
    cadence: monthly
    measure: { name: seats, display_name: Seats, field: seats, kind: count }
  areas/people:
    display_name: People of zones
    dataset: areas.people
    layer: zones
    feature_id: zone
    cadence: monthly
    measure: { name: people, display_name: People, field: people, kind: count }
    dimensions:
      sex: { value: sex, default: "All 'sexes'" }
      age: { value: age, default: "999" }
  areas/homes:
    display_name: Homes of districts
    dataset: areas.districts
    layer: districts
    feature_id: district
    cadence: yearly
    period: { start: 2025-01-01, end: 2025-12-31 }
    measure: { name: homes, field: homes, kind: count }
  areas/moods:
    display_name: Moods of zones
    dataset: areas.visits
    layer: zones
    feature_id: zone
    cadence: monthly
    measure: { name: mood, display_name: Mood, field: mood, kind: category }
`;
