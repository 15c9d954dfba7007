import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { type CommandResult, runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const PLACES = `
  town.places:
    files: places.csv
    key: [id]
    fields:
      id: { type: string }
      name: { type: string }`;
const VISITS = `
  town.visits:
    files: visits.csv
    key: [place, month]
    period: { start: month, end: month }
    fields:
      place: { type: string }
      month: { type: date }
      visits: { type: integer }`;
const METRIC = `
layers:
  places: { dataset: town.places, feature_id: id, name: name }
metrics:
  town/visits:
    dataset: town.visits
    layer: places
    feature_id: place
    cadence: daily
    measure: { name: visits, field: visits, kind: count }`;

async function checked(
  files: Readonly<Record<string, string>>,
  ...parameters: readonly string[]
): Promise<CommandResult & { readonly left: readonly string[] }> {
  const folder = inFolder(`check-${Math.random().toString(36).slice(2)}`);
  await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const result = await runCommand(['check', ...parameters], { directory: folder });
  const text = (part: string): string => part.replaceAll(folder, '');
  return { ...result, messages: text(result.messages), left: await readdir(folder) };
}

const RIGHT = {
  'locmetrics.yaml': `format: 1\ndatasets:${PLACES}${VISITS}${METRIC}\n`,
  'places.csv': 'id,name\nA,Alpha\nB,Beta\n',
  'visits.csv': 'place,month,visits\nA,2024-01-01,5\nC,2024-02-01,7\n',
};

test('a check of what is right tells notices and changes, and leaves nothing', async () => {
  const { code, data, messages, left } = await checked(RIGHT);
  expect([code, left]).toEqual([0, Object.keys(RIGHT).toSorted()]);
  expect(data).toMatch(/^Would publish town\.places: 2 records/);
  expect(data).toContain('Would serve metric town/visits (layer places)\n');
  expect(messages).toContain(
    "town.visits: town/visits: 1 record can never be a value: place is not a feature of the layer 'places', for example 'C'.\n",
  );
  expect(messages).toContain(
    'Nothing is wrong. To publish it: locmetrics publish locmetrics.yaml\n',
  );
});

test('a check of new files names the command that publishes these, and not all rows', async () => {
  const { messages } = await checked(
    RIGHT,
    ...['locmetrics.yaml', 'town.visits', '--replace-period', '2024-01/2024-02'],
    ...['--files', '.', '--data', "owner's data"],
  );
  expect(messages).toContain(
    "Nothing is wrong. To publish it: locmetrics publish locmetrics.yaml town.visits --replace-period 2024-01/2024-02 --files . --data 'owner'\\''s data'\n",
  );
});

test('everything that is wrong is told at once: in the manifest, in its files, in the values', async () => {
  const wrong = {
    'locmetrics.yaml': `format: 1
datasets:${PLACES}${VISITS}
  town.streets:
    files: streets.csv
    key: [id]
    fields:
      id: { type: strng }
  town.parks:
    files: parks.csv
    key: [id]
    fields:
      id: { type: string }
      area: { type: float, column: Areas }
  town.roads:
    files: roads.csv
    key: [id]
    fields:
      id: { type: string, pad: 5, format: x }
layers:
  places: { dataset: town.places, feature_id: id, nam: name }
`,
    'visits.csv': 'place,month,visits\nA,2024-01-01,many\nC,2024-02-30,7\n',
    'parks.csv': 'id,Area\n1,2.5\n',
  };
  const { code, messages, left } = await checked(wrong);
  expect(code).toBe(1);
  expect(left).toEqual(Object.keys(wrong).toSorted());
  expect(messages.replace(/^town.*: reading\n|^town.*: checking\n/gm, '')).toMatchInlineSnapshot(`
    "locmetrics.yaml:21:19: datasets.town.streets.fields.id.type: Unknown value 'strng'. Did you mean 'string'?
    locmetrics.yaml:32:43: datasets.town.roads.fields.id.format: A string is kept as it is written. Leave the format out.
    locmetrics.yaml:34:11: layers.places: The key 'name' is missing.
    locmetrics.yaml:34:56: layers.places.nam: Unknown key 'nam'. Did you mean 'name'?

    The files of town.places:
    places.csv: does not exist. Correct the name under datasets.town.places.files of the manifest: /places.csv

    The files of town.visits:
    visits.csv:2: visits: 'many' is not a whole number.
    visits.csv:3: month: '2024-02-30' is not a day of the calendar from 0001-01-01 to 9999-12-31.

    The files of town.parks:
    parks.csv: area: the column 'Areas' is missing. Did you mean 'Area'?
    "
  `);
});

test('--json lists the problems with their places', async () => {
  const { code, data } = await checked(
    { ...RIGHT, 'visits.csv': 'place,month,visits\nA,2024-01-01,many\n' },
    '--json',
  );
  expect(code).toBe(1);
  expect(data.split('\n')).toHaveLength(2);
  expect(JSON.parse(data)).toMatchObject({
    wouldPublish: false,
    problems: [
      {
        dataset: 'town.visits',
        file: 'visits.csv',
        line: 2,
        field: 'visits',
        value: 'many',
        reason: 'is not a whole number',
      },
    ],
    versions: [{ dataset: 'town.places', rowCount: 2 }],
  });
});

test('a check of a dataset that the manifest does not have names the nearest', async () => {
  const { code, messages } = await checked(RIGHT, 'locmetrics.yaml', 'town.visit');
  expect(code).toBe(1);
  expect(messages).toBe(
    "The manifest declares no dataset 'town.visit'.\nDid you mean 'town.visits'?\n",
  );
});

test('boundaries that cannot be used are told beside what is wrong with the rows, each once', async () => {
  const area =
    '{"type":"Feature","properties":{"no":1},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}}';
  const shops = (name: string) => `
  town.${name}:
    files: ${name}.csv
    key: [id]
    point: { latitude: lat, longitude: lng, region: wards }
    fields:
      id: { type: string }
      lat: { type: float }
      lng: { type: float }
      ward: { type: string, from: { area: wards } }
      zone: { type: string, from: { area: zones, value: nam } }
      state: { type: string, from: { area: us_states } }`;
  const { code, data, messages } = await checked({
    'locmetrics.yaml': `format: 1
areas:
  wards: { file: wards.geojson }
  zones: { file: zones.geojson, id: no }
datasets:${shops('shops')}${shops('stores')}
`,
    'wards.geojson': `{"type":"FeatureCollection","features":[${area}]}`,
    'zones.geojson': `{"type":"FeatureCollection","features":[${area}]}`,
    'shops.csv': 'id,lat,lng\nA,1,x\n',
    'stores.csv': 'id,lat,lng\nA,1,2\n',
  });
  expect([code, data, messages.replaceAll(/\n+/g, '\n')]).toMatchInlineSnapshot(`
    [
      1,
      "",
      "town.shops: reading
    town.shops: checking
    town.stores: reading
    town.stores: checking
    town.stores: writing
    The boundaries of 'wards' in wards.geojson: feature 1 has no id.
    Name the property that has it: areas: { wards: { id: … } }. Known: no.
    The boundaries of 'zones' in zones.geojson: no area has 'nam'.
    Known: no.
    The files of town.shops:
    shops.csv:2: lng: 'x' is not a number.
    ",
    ]
  `);
});

test('the report of a check names --json as the place of what it leaves out, because no report.json is written', async () => {
  const { code, data } = await checked({
    'locmetrics.yaml': `format: 1\ndatasets:${VISITS}`,
    'visits.csv': 'place,month,visits\na,2024-01-01,1\n',
  });
  expect(code).toBe(0);
  expect(data).toContain('… and 1 more with --json\n');
  expect(data).not.toContain('report.json');
});
