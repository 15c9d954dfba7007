/**
 * Parks with their visits by month and age, and trips between them. The data have everything that an answer
 * with metric values can contain. One count of visits is beyond 2^53, so it is not a double.
 */
export const PARKS = {
  'locmetrics.yaml': `format: 1
products:
  park: { display_name: Parks, description: Made up for the tests. }
datasets:
  park.parks:
    files: parks.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    existence: { start: opened, end: closed }
    fields:
      id: { type: string }
      name: { type: string }
      state: { type: string }
      state_short: { type: string }
      state_name: { type: string }
      is_obfuscated: { type: boolean }
      opened: { type: date }
      closed: { type: date }
      latitude: { type: float }
      longitude: { type: float }
  park.visits:
    files: visits.csv
    key: [month, park, age]
    period: { start: month, end: month_end }
    fields:
      month: { type: date }
      month_end: { type: date }
      park: { type: string }
      age: { type: string }
      age_name: { type: string }
      visits: { type: integer }
      share: { type: float }
      weather: { type: string }
      is_estimate: { type: boolean }
  park.trips:
    files: trips.csv
    key: [from, to]
    fields:
      from: { type: string }
      to: { type: string }
      trips: { type: integer }
layers:
  parks:
    dataset: park.parks
    feature_id: id
    name: name
    address_components:
      state: { value: state, short_name: state_short, display_name: state_name, kind: map }
      is_obfuscated: { value: is_obfuscated, kind: taxonomy }
metrics:
  park/visits:
    dataset: park.visits
    layer: parks
    feature_id: park
    cadence: monthly
    measure: { name: visits, field: visits, kind: count, unit: People }
    supporting_values:
      - { name: share, field: share, kind: number, unit: Percent }
      - { name: weather, field: weather, kind: category }
    dimensions:
      age: { value: age, display_name: age_name }
    default_filters: { is_obfuscated: "false" }
    flags: { estimate: is_estimate }
  park/trips:
    dataset: park.trips
    layer: parks
    feature_id: from
    related: { layer: parks, feature_id: to }
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: trips, field: trips, kind: count }
`,
  'parks.csv': `id,name,state,state_short,state_name,is_obfuscated,opened,closed,latitude,longitude
ACAD,Acadia,23,ME,Maine,false,1919-02-26,,44.35,-68.21
hidden,Secret,23,ME,Maine,true,,,1,1
zürich,"Zürichsee ""😀""",,,,false,,2024-02-29,,
`,
  'visits.csv': `month,month_end,park,age,age_name,visits,share,weather,is_estimate
2024-01-01,2024-01-31,ACAD,old,Älter,9007199254740993,0.1,sun,true
2024-01-01,2024-01-31,ACAD,young,,0,1e21,,
2024-02-01,2024-02-29,ACAD,old,Älter,,,,false
2024-01-01,2024-01-31,hidden,old,Älter,1,1,,
2024-01-01,2024-01-31,zürich,old,Älter,-9223372036854775808,-0.5,Föhn,
2024-03-01,2024-03-31,zürich,old,Älter,7,7,,
`,
  'trips.csv': `from,to,trips
ACAD,zürich,3
zürich,ACAD,4
zürich,nowhere,5
`,
} as const;
