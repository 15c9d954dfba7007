/** 3,000 shops around Bern, of which every tenth is in Biel, and a few far away. */
export const TILED_SHOPS = {
  'locmetrics.yaml': `format: 1
products:
  map: { display_name: Map, description: Made up for the tests. }
datasets:
  map.shops:
    files: shops.csv
    key: [id]
    point: { latitude: latitude, longitude: longitude }
    licence:
      name: ODbL-1.0
      url: https://opendatacommons.org/licenses/odbl/1-0/
      attribution: © the "shops"
      terms_url: https://example.org/terms
    fields:
      id: { type: string }
      city: { type: string }
      latitude: { type: float }
      longitude: { type: float }
      visits: { type: integer, suppress: { below: 5 } }
      area: { type: float, additive: all }
  map.plain:
    files: plain.csv
    key: [id]
    fields:
      id: { type: string }
`,
  'shops.csv': [
    'id,city,latitude,longitude,visits,area',
    ...Array.from({ length: 3000 }, (_, index) => {
      const isBiel = index % 10 === 0;
      const [latitude, longitude] = isBiel ? [47.13, 7.24] : [46.94, 7.44];
      return `s${index},${isBiel ? 'Biel' : 'Bern'},${latitude},${longitude},${index % 20},0.5`;
    }),
    'far,Quito,-0.18,-78.46,12,2.5',
    'lone,Suva,-18.1,178.44,,',
    '',
  ].join('\n'),
  'plain.csv': 'id\na\n',
};
