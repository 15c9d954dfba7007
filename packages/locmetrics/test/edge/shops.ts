/**
 * A small product with every type of field and every role: shops with a point, an existence and a period,
 * and a list without any of them. The `count` 9007199254740993 is not a double. The shops are also a layer and
 * the values of a metric.
 */
export const SHOPS = {
  'locmetrics.yaml': `format: 1
products:
  shop: { display_name: Shops, description: Made up for the tests. }
datasets:
  shop.stores:
    display_name: Stores
    description: A row is a store in a month.
    files: stores.csv
    key: [store_id]
    point: { latitude: latitude, longitude: longitude }
    period: { start: observed_from, end: observed_to }
    existence: { start: opened, end: closed }
    fields:
      store_id: { type: string, description: Code of the store., example_value: S1 }
      city: { type: string }
      count: { type: integer }
      rating: { type: float }
      is_open: { type: boolean }
      opened: { type: date, included_by_default: false }
      closed: { type: date, included_by_default: false }
      observed_from: { type: date, included_by_default: false }
      observed_to: { type: date, included_by_default: false }
      latitude: { type: float, included_by_default: false }
      longitude: { type: float, included_by_default: false }
  shop.codes:
    files: codes.csv
    key: [code]
    fields:
      code: { type: string }
      label: { type: string }
layers:
  stores:
    dataset: shop.stores
    feature_id: store_id
    name: city
    address_components:
      note: { value: city }
      city: { value: city, short_name: store_id, display_name: city, kind: map }
      is_open: { value: is_open, kind: taxonomy }
metrics:
  shop/customers:
    dataset: shop.stores
    layer: stores
    feature_id: store_id
    cadence: monthly
    measure: { name: customers, field: count, kind: count, unit: People }
    supporting_values:
      - { name: rating, field: rating, kind: number }
      - { name: town, field: city, kind: category }
    dimensions:
      open: { value: is_open }
    flags: { is_open: is_open }
`,
  'stores.csv': `store_id,city,count,rating,is_open,opened,closed,observed_from,observed_to,latitude,longitude
S1,Zürich,9007199254740993,4.5,true,2020-01-01,,2023-01-01,2023-01-31,47.37,8.54
S2,zug,-5,0.1,false,2020-01-01,2022-12-31,2023-01-01,2023-01-31,47.17,8.52
S3,,,,,2020-01-01,,2023-01-01,2023-01-31,,
S4,"Bern ""am"" See",0,1e21,true,2020-01-01,,2023-01-01,2023-01-31,46.95,7.45
`,
  'codes.csv': `code,label
01,one
02,two
`,
} as const;
