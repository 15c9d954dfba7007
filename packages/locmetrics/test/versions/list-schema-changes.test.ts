import type { DatasetVersion } from '@locmetrics/core/domain/version';
import {
  listSchemaChanges,
  type SchemaChange,
} from '@locmetrics/data-directory/versions/list-schema-changes';
import { expect, test } from 'vitest';
import { replaceParts, useManifests } from '../manifest/manifest-under-test.ts';

const manifests = useManifests();

/** A dataset with everything that can change. Its places are a layer, and its visits a metric of that layer. */
const MANIFEST = `format: 1
datasets:
  shop.stores:
    files: stores.csv
    key: [id]
    point: { latitude: lat, longitude: lng }
    period: { start: from, end: to }
    existence: { start: opened }
    fields:
      id: { type: string, description: Our number. }
      name: { type: string }
      state: { type: string }
      zone: { type: string, included_by_default: false }
      lat: { type: float }
      lng: { type: float }
      from: { type: date }
      to: { type: date }
      opened: { type: date }
      visits: { type: integer }
      guests: { type: integer }
      age: { type: string }
      is_open: { type: boolean }
layers:
  stores:
    dataset: shop.stores
    feature_id: id
    name: name
    address_components:
      state: { value: state, kind: map }
metrics:
  shop/visits:
    dataset: shop.stores
    layer: stores
    feature_id: id
    cadence: daily
    measure: { name: people, field: visits, kind: count, unit: People }
    supporting_values:
      - { name: guests, field: guests, kind: count }
    dimensions: { age: { value: age, default: '20-29' } }
    default_filters: { state: '06' }
    flags: { open: is_open }
`;

async function versionOf(text: string): Promise<DatasetVersion> {
  const [declared] = (await manifests.read(text)).datasets;
  if (declared === undefined) throw new Error('The manifest declares no dataset.');
  return { ...declared, version: '', publishedTime: '', rowCount: 0 };
}

/** The effects of a change of the manifest and of its reverse. Breaking changes are marked. */
async function changesOf(
  ...parts: Parameters<typeof replaceParts>[1]
): Promise<{ readonly done: readonly string[]; readonly undone: readonly string[] }> {
  const before = await versionOf(MANIFEST);
  const after = await versionOf(replaceParts(MANIFEST, parts));
  const marked = ({ change, isBreaking }: SchemaChange): string =>
    isBreaking ? `! ${change}` : change;
  return {
    done: listSchemaChanges(before, after).map(marked),
    undone: listSchemaChanges(after, before).map(marked),
  };
}

test('the same schema has no changes', async () => {
  expect(await changesOf()).toEqual({ done: [], undone: [] });
});

test.each<[part: string, other: string, done: string, undone: string]>([
  [
    '      zone: { type: string, included_by_default: false }\n',
    '',
    "! The field 'zone' is gone.",
    "The field 'zone' is new.",
  ],
  [
    'is_open: { type: boolean }',
    'is_open: { type: boolean, included_by_default: false }',
    "! The field 'is_open' is given by default no longer.",
    "The field 'is_open' is given by default now.",
  ],
  [
    'guests: { type: integer }',
    'guests: { type: integer, suppress: { below: 5 } }',
    "! The least value that is shown of the field 'guests' is '5' and was '0'.",
    "The least value that is shown of the field 'guests' is '0' and was '5'.",
  ],
  [
    'Our number.',
    'Their number.',
    "The field 'id' is described with another text.",
    "The field 'id' is described with another text.",
  ],
  [
    '    name: name\n',
    '    name: state\n',
    "! The field with the names of the layer 'stores' is 'state' and was 'name'.",
    "! The field with the names of the layer 'stores' is 'name' and was 'state'.",
  ],
  [
    'kind: map',
    'kind: taxonomy',
    "! The kind of the component 'state' of the layer 'stores' is 'taxonomy' and was 'map'.",
    "! The kind of the component 'state' of the layer 'stores' is 'map' and was 'taxonomy'.",
  ],
  [
    '      state: { value: state, kind: map }\n',
    '      state: { value: state, kind: map }\n      zone: { value: zone, kind: map }\n',
    "The component 'zone' of the layer 'stores' is new.",
    "! The component 'zone' of the layer 'stores' is gone.",
  ],
  [
    'cadence: daily',
    'cadence: weekly',
    "! The cadence of the metric 'shop/visits' is 'weekly' and was 'daily'.",
    "! The cadence of the metric 'shop/visits' is 'daily' and was 'weekly'.",
  ],
  [
    'unit: People',
    'unit: Persons',
    "! The unit of the measure 'people' of the metric 'shop/visits' is 'Persons' and was 'People'.",
    "! The unit of the measure 'people' of the metric 'shop/visits' is 'People' and was 'Persons'.",
  ],
  [
    'unit: People',
    'unit: People, nullable: false',
    "The measure 'people' of the metric 'shop/visits' is never absent now.",
    "! The measure 'people' of the metric 'shop/visits' can be absent now.",
  ],
  [
    "default: '20-29'",
    "default: '30-39'",
    "! The default of the dimension 'age' of the metric 'shop/visits' is '30-39' and was '20-29'.",
    "! The default of the dimension 'age' of the metric 'shop/visits' is '20-29' and was '30-39'.",
  ],
  [
    "    dimensions: { age: { value: age, default: '20-29' } }\n",
    '',
    "! The dimension 'age' of the metric 'shop/visits' is gone.",
    "The dimension 'age' of the metric 'shop/visits' is new.",
  ],
  [
    "default: '20-29' } }",
    "default: '20-29' }, zone: { value: zone } }",
    "! The dimension 'zone' of the metric 'shop/visits' is new.",
    "! The dimension 'zone' of the metric 'shop/visits' is gone.",
  ],
  [
    "{ state: '06' }",
    "{ state: ['06', '07'] }",
    "! The default filter of the metric 'shop/visits' is 'state:06,07' and was 'state:06'.",
    "! The default filter of the metric 'shop/visits' is 'state:06' and was 'state:06,07'.",
  ],
  [
    '    flags: { open: is_open }\n',
    '',
    "! The flag 'open' of the metric 'shop/visits' is gone.",
    "The flag 'open' of the metric 'shop/visits' is new.",
  ],
])('replacing %j by %j is reported, and the reverse too', async (part, other, done, undone) => {
  expect(await changesOf([part, other])).toEqual({ done: [done], undone: [undone] });
});

test('another key breaks callers', async () => {
  const { done, undone } = await changesOf(
    [MANIFEST.slice(MANIFEST.indexOf('layers:')), ''],
    ['key: [id]', 'key: [id, from]'],
  );
  expect(done[0]).toBe("! The key is 'id, from' and was 'id'.");
  expect(undone[0]).toBe("! The key is 'id' and was 'id, from'.");
});

test.each<[part: string, other: string, done: string, undone: string]>([
  [
    '    existence: { start: opened }\n',
    '',
    '! The dataset has no period of existence any more.',
    'The dataset has a period of existence now.',
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: opened, end: to }',
    '! The dataset has another period: start opened, end to instead of start from, end to.',
    '! The dataset has another period: start from, end to instead of start opened, end to.',
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: opened, end: to }',
    "! The period of the metric 'shop/visits' is 'opened/to' and was 'from/to'.",
    "! The period of the metric 'shop/visits' is 'from/to' and was 'opened/to'.",
  ],
])('replacing %j by %j is reported with its consequences', async (part, other, done, undone) => {
  const changes = await changesOf([part, other]);
  expect(changes.done).toContain(done);
  expect(changes.undone).toContain(undone);
});

test('a moved point is reported for the dataset, and a changed type is breaking', async () => {
  const { done } = await changesOf(
    ['latitude: lat', 'latitude: guests'],
    ['guests: { type: integer }', 'guests: { type: float }'],
    [
      '      - { name: guests, field: guests, kind: count }\n',
      '      - { name: guests, field: guests, kind: number }\n',
    ],
  );
  expect(done).toContain("! The type of the field 'guests' is 'float' and was 'integer'.");
  expect(done).toContainEqual(expect.stringMatching(/^! The dataset has another point: /));
});

test('a removed layer and a removed metric are breaking, and breaking changes come first', async () => {
  const { done, undone } = await changesOf(
    [MANIFEST.slice(MANIFEST.indexOf('layers:')), ''],
    [
      '      name: { type: string }\n      state: { type: string }\n',
      '      state: { type: string }\n      name: { type: string }\n',
    ],
  );
  expect(done).toEqual([
    "! The layer 'stores' is gone.",
    "! The metric 'shop/visits' is gone.",
    'The fields come in another order.',
  ]);
  expect(undone).toEqual([
    'The fields come in another order.',
    "The layer 'stores' is new.",
    "The metric 'shop/visits' is new.",
  ]);
});
