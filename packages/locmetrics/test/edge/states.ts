/** Places whose state can contain a comma, and a metric over them. */
export const STATES = {
  'locmetrics.yaml': `format: 1
datasets:
  town.places:
    files: places.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }
      state: { type: string }
      size: { type: integer }
  town.visits:
    files: visits.csv
    key: [place]
    fields:
      place: { type: string }
      visits: { type: integer }
      kind: { type: string }
layers:
  places:
    dataset: town.places
    feature_id: id
    name: name
    address_components:
      state: { value: state, kind: map }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: place
    cadence: unspecified
    period: { start: 2024-01-01, end: 2024-12-31 }
    measure: { name: visits, field: visits, kind: count }
    dimensions:
      kind: { value: kind }
`,
  'places.csv': `id,name,state,size
"a,1",Capitol,"Washington, D.C.",5
a2,Needle,Washington,7
a3,Market,Washington,7
a4,Gate,California,9
`,
  'visits.csv': `place,visits,kind
"a,1",3,"work, home"
a2,4,work
`,
};
