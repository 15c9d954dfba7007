/**
 * Places and their visits, with all that the row store has indexes for: series, a point, sorted and searchable
 * fields. Two metrics have the places as their layer; a default filter of `park/sizes` leaves out `p9`.
 */
export const VISITS = {
  'locmetrics.yaml': `format: 1
datasets:
  park.places:
    files: places.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    fields:
      id: { type: string }
      name: { type: string, searchable: true }
      city: { type: string }
      size: { type: integer, sorted: true }
      latitude: { type: float }
      longitude: { type: float }
  park.visits:
    files: visits.csv
    key: [place, day]
    period: { start: day, end: day }
    fields:
      place: { type: string }
      day: { type: date }
      visits: { type: integer, sorted: true }
      note: { type: string }
  park.sizes:
    files: sizes.csv
    key: [place]
    fields:
      place: { type: string }
      size: { type: integer }
layers:
  places:
    dataset: park.places
    feature_id: id
    name: name
    address_components:
      city: { value: city, kind: map }
metrics:
  park/visits:
    dataset: park.visits
    layer: places
    feature_id: place
    cadence: daily
    measure: { name: visits, field: visits, kind: count }
  park/sizes:
    dataset: park.sizes
    layer: places
    feature_id: place
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: size, field: size, kind: count }
    default_filters: { city: Sunny }
`,
  'places.csv': `id,name,city,size,latitude,longitude
p1,Garden of Eden,Sunny,5,47.1,8.1
p2,Hyde Garden,Sunny,7,47.2,8.2
p3,Gardena,Sunny,2,47.3,8.3
p9,Marsh,Rainy,9,47.4,8.4
`,
  'visits.csv': `place,day,visits,note
p1,2024-01-01,5,a
p1,2024-01-02,7,b
p1,2024-01-03,9,a
p2,2024-01-01,1,a
p3,2024-01-01,2,a
p9,2024-01-01,3,c
`,
  'sizes.csv': `place,size
p1,5
p2,7
p3,2
p9,9
`,
} as const;
