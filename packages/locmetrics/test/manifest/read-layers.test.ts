import type { Layer } from '@locmetrics/core/domain/layer';
import { expect, test } from 'vitest';
import { replaceParts, useManifests } from './manifest-under-test.ts';

const { read, problems } = useManifests();

const DATASETS = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    point: { latitude: lat, longitude: lng }
    existence: { start: opened }
    fields:
      id: { type: string }
      name: { type: string }
      state: { type: string }
      state_name: { type: string }
      floors: { type: integer }
      lat: { type: float }
      lng: { type: float }
      door_lat: { type: float }
      door_lng: { type: float }
      opened: { type: date }
      closed: { type: date }
  shop.states:
    files: states.csv
    key: [code]
    fields:
      code: { type: string }
      name: { type: string }
`;

const PLAIN = `${DATASETS}layers:
  stores:
    dataset: shop.stores
    feature_id: id
    name: name
    address_components:
      city: { value: name }
      state: { value: state }
`;

const FULL = `${DATASETS}layers:
  stores:
    display_name: Stores
    description: All of them.
    attribution: The shop.
    feature_display_name: Store
    dataset: shop.stores
    feature_id: id
    name: name
    point: { latitude: door_lat, longitude: door_lng }
    existence: { start: opened, end: closed }
    address_components:
      state: { value: state, short_name: state, display_name: state_name, kind: map, label: State, title: State of the store, description: A code., map_layer: states }
      floors: { value: floors, kind: count }
  states:
    dataset: shop.states
    feature_id: code
    name: name
`;

const changed = (text: string, ...parts: Parameters<typeof replaceParts>[1]): string =>
  replaceParts(text, parts);

async function layersOf(text: string): Promise<readonly Layer[]> {
  return (await read(text)).datasets.flatMap(({ layers }) => layers);
}

test('a layer with all parts is read', async () => {
  expect((await layersOf(FULL))[0]).toMatchInlineSnapshot(`
    {
      "addressComponents": [
        {
          "component": "state",
          "description": "A code.",
          "displayName": "State of the store",
          "fields": {
            "displayName": "state_name",
            "shortName": "state",
            "value": "state",
          },
          "kind": "map",
          "mapLayerId": "states",
          "shortName": "State",
        },
        {
          "component": "floors",
          "description": "",
          "displayName": "floors",
          "fields": {
            "value": "floors",
          },
          "kind": "count",
          "mapLayerId": "",
          "shortName": "floors",
        },
      ],
      "attribution": "The shop.",
      "description": "All of them.",
      "displayName": "Stores",
      "existence": {
        "end": "closed",
        "start": "opened",
      },
      "featureDisplayName": "Store",
      "featureId": "id",
      "id": "stores",
      "name": "name",
      "point": {
        "latitude": "door_lat",
        "longitude": "door_lng",
      },
    }
  `);
});

test('each layer belongs to the dataset that it is declared over', async () => {
  const { datasets } = await read(FULL);
  expect(datasets.map(({ dataset, layers }) => [dataset.name, layers.map(({ id }) => id)])).toEqual(
    [
      ['shop.stores', ['stores']],
      ['shop.states', ['states']],
    ],
  );
});

test('omitted parts follow from the dataset and from the names', async () => {
  expect((await layersOf(PLAIN))[0]).toMatchInlineSnapshot(`
    {
      "addressComponents": [
        {
          "component": "city",
          "description": "",
          "displayName": "city",
          "fields": {
            "value": "name",
          },
          "kind": "free_form",
          "mapLayerId": "",
          "shortName": "city",
        },
        {
          "component": "state",
          "description": "",
          "displayName": "state",
          "fields": {
            "value": "state",
          },
          "kind": "free_form",
          "mapLayerId": "",
          "shortName": "state",
        },
      ],
      "attribution": "",
      "description": "",
      "displayName": "stores",
      "existence": {
        "start": "opened",
      },
      "featureDisplayName": "",
      "featureId": "id",
      "id": "stores",
      "name": "name",
      "point": {
        "latitude": "lat",
        "longitude": "lng",
      },
    }
  `);
});

test('a component with the id of a layer has the features of that layer as its values', async () => {
  const text = changed(PLAIN, ['      city: { value: name }', '      stores: { value: name }']);
  const [stores] = await layersOf(text);
  expect(stores?.addressComponents.map(({ mapLayerId }) => mapLayerId)).toEqual(['stores', '']);
});

test('unknown names of layers and fields are reported with the nearest name', async () => {
  expect(
    await problems(
      changed(
        FULL,
        ['map_layer: states', 'map_layer: state'],
        ['display_name: state_name', 'display_name: state_nam'],
        ['latitude: door_lat', 'latitude: dor_lat'],
        ['end: closed', 'end: close'],
        ['value: floors', 'value: constructor'],
        ['dataset: shop.states', 'dataset: shop.state'],
      ),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:35: layers.stores.point.latitude: There is no field 'dor_lat' in shop.stores. Did you mean 'door_lat'?
    /locmetrics.yaml:36: layers.stores.existence.end: There is no field 'close' in shop.stores. Did you mean 'closed'?
    /locmetrics.yaml:38: layers.stores.address_components.state.map_layer: The manifest declares no layer 'state'. Did you mean 'states'?
    /locmetrics.yaml:38: layers.stores.address_components.state.display_name: There is no field 'state_nam' in shop.stores. Did you mean 'state_name'?
    /locmetrics.yaml:39: layers.stores.address_components.floors.value: There is no field 'constructor' in shop.stores. Known: id, name, state, state_name, floors, lat, lng, door_lat, door_lng, opened, closed.
    /locmetrics.yaml:41: layers.states.dataset: The manifest declares no dataset 'shop.state'. Did you mean 'shop.states'?"
  `);
});

test('fields of a wrong type are reported', async () => {
  expect(
    await problems(
      changed(
        FULL,
        ['name: name', 'name: floors'],
        ['latitude: door_lat', 'latitude: state'],
        ['end: closed', 'end: state'],
        ['short_name: state,', 'short_name: floors,'],
        ['display_name: state_name', 'display_name: opened'],
      ),
    ),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:34: layers.stores.name: The field 'floors' in shop.stores has the type integer. It must be string.
    /locmetrics.yaml:35: layers.stores.point.latitude: The field 'state' in shop.stores has the type string. It must be float.
    /locmetrics.yaml:36: layers.stores.existence.end: The field 'state' in shop.stores has the type string. It must be date.
    /locmetrics.yaml:38: layers.stores.address_components.state.short_name: The field 'floors' in shop.stores has the type integer. It must be string.
    /locmetrics.yaml:38: layers.stores.address_components.state.display_name: The field 'opened' in shop.stores has the type date. It must be string."
  `);
});

test('a feature id that is not text, or not the whole key, is reported', async () => {
  expect(
    await problems(
      changed(FULL, ['key: [id]', 'key: [floors]'], ['feature_id: id', 'feature_id: floors']),
    ),
  ).toMatchInlineSnapshot(
    `"/locmetrics.yaml:33: layers.stores.feature_id: The field 'floors' in shop.stores has the type integer. It must be string."`,
  );
  expect(await problems(changed(FULL, ['key: [id]', 'key: [id, name]']))).toMatchInlineSnapshot(
    `"/locmetrics.yaml:33: layers.stores.feature_id: 'id' does not identify a record of shop.stores, whose key is id, name. A feature is one record: its id must be the whole key of the dataset."`,
  );
});

test('unknown kinds and keys of a component are reported', async () => {
  expect(
    await problems(changed(FULL, ['kind: map', 'kind: maps'], ['label: State', 'lable: State'])),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:38: layers.stores.address_components.state.lable: Unknown key 'lable'. Did you mean 'label'?
    /locmetrics.yaml:38: layers.stores.address_components.state.kind: Unknown value 'maps'. Did you mean 'map'?"
  `);
});

test.each([
  ['State', 'state'],
  ['s t a t e', 'state'],
  [' State ', 'state'],
])('the label %j is refused: it is the column of another component', async (label, column) => {
  const text = changed(PLAIN, [
    'city: { value: name }',
    `city: { value: name, label: '${label}' }`,
  ]);
  expect(await problems(text)).toBe(
    `/locmetrics.yaml:33: layers.stores.address_components.state.label: The labels of 'state' and 'city' would be the same column '${column}'. Choose labels that differ in more than case and spaces.`,
  );
});

test.each(['Name', 'geo', 'Feature _id'])(
  'the label %j is refused: it is a column of every table',
  async (label) => {
    const text = changed(PLAIN, [
      'city: { value: name }',
      `city: { value: name, label: '${label}' }`,
    ]);
    expect(await problems(text)).toContain(
      `/locmetrics.yaml:32: layers.stores.address_components.city.label: The label '${label}' would be the column '`,
    );
  },
);

test('a component whose id is a column of every table needs a label', async () => {
  const renamed = (label: string): string =>
    changed(PLAIN, ['city: { value: name }', `geo: { value: name${label} }`]);
  expect(await problems(renamed(''))).toContain("The label 'geo' would be the column 'geo'");
  expect((await layersOf(renamed(', label: Geometry')))[0]?.addressComponents[0]).toMatchObject({
    component: 'geo',
    shortName: 'Geometry',
    displayName: 'Geometry',
  });
});

test('a blank label is reported', async () => {
  expect(
    await problems(changed(PLAIN, ['city: { value: name }', "city: { value: name, label: ' ' }"])),
  ).toMatchInlineSnapshot(
    `"/locmetrics.yaml:32: layers.stores.address_components.city.label: " " is not valid here. Write at least one character that is not white space."`,
  );
});

const TWO = `${PLAIN}  states:
    dataset: shop.states
    feature_id: code
    name: name
    address_components:
      state: { value: code }
`;

test('layers with equal definitions of a shared component are read', async () => {
  const layers = await layersOf(TWO);
  expect(layers.map(({ addressComponents }) => addressComponents.length)).toEqual([2, 1]);
});

test('layers with different definitions of one component are reported', async () => {
  const all = 'kind: map, label: S, title: State, description: A state., map_layer: states';
  expect(
    await problems(changed(TWO, ['state: { value: code', `state: { value: code, ${all}`])),
  ).toMatchInlineSnapshot(`
    "/locmetrics.yaml:39: layers.states.address_components.state.kind: The kind of 'state' is 'map' here, but 'free_form' in the layer 'stores'. A catalog shows each component once: write the same text in both.
    /locmetrics.yaml:39: layers.states.address_components.state.label: The label of 'state' is 'S' here, but 'state' in the layer 'stores'. A catalog shows each component once: write the same text in both.
    /locmetrics.yaml:39: layers.states.address_components.state.title: The title of 'state' is 'State' here, but 'state' in the layer 'stores'. A catalog shows each component once: write the same text in both.
    /locmetrics.yaml:39: layers.states.address_components.state.description: The description of 'state' is 'A state.' here, but '' in the layer 'stores'. A catalog shows each component once: write the same text in both.
    /locmetrics.yaml:39: layers.states.address_components.state.map_layer: The map_layer of 'state' is 'states' here, but '' in the layer 'stores'. A catalog shows each component once: write the same text in both."
  `);
});
