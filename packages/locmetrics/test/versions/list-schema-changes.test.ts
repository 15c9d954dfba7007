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
    "! The field 'is_open' is no longer included by default.",
    "The field 'is_open' is now included by default.",
  ],
  [
    'guests: { type: integer }',
    'guests: { type: integer, suppress: { below: 5 } }',
    "! The smallest value that is shown of the field 'guests' changed from '0' to '5'.",
    "The smallest value that is shown of the field 'guests' changed from '5' to '0'.",
  ],
  [
    'guests: { type: integer }',
    'guests: { type: integer, additive: none }',
    "! The additivity of the field 'guests' changed from 'all' to 'none'.",
    "The additivity of the field 'guests' changed from 'none' to 'all'.",
  ],
  [
    'Our number.',
    'Their number.',
    "The descriptive texts of the field 'id' changed.",
    "The descriptive texts of the field 'id' changed.",
  ],
  [
    '    name: name\n',
    '    name: state\n',
    "! The name field of the layer 'stores' changed from 'name' to 'state'.",
    "! The name field of the layer 'stores' changed from 'state' to 'name'.",
  ],
  [
    'kind: map',
    'kind: taxonomy',
    "! The kind of the component 'state' of the layer 'stores' changed from 'map' to 'taxonomy'.",
    "! The kind of the component 'state' of the layer 'stores' changed from 'taxonomy' to 'map'.",
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
    "! The cadence of the metric 'shop/visits' changed from 'daily' to 'weekly'.",
    "! The cadence of the metric 'shop/visits' changed from 'weekly' to 'daily'.",
  ],
  [
    'unit: People',
    'unit: Persons',
    "! The unit of the measure 'people' of the metric 'shop/visits' changed from 'People' to 'Persons'.",
    "! The unit of the measure 'people' of the metric 'shop/visits' changed from 'Persons' to 'People'.",
  ],
  [
    'unit: People',
    'unit: People, nullable: false',
    "The measure 'people' of the metric 'shop/visits' can no longer be absent.",
    "! The measure 'people' of the metric 'shop/visits' can now be absent.",
  ],
  [
    "default: '20-29'",
    "default: '30-39'",
    "! The default of the dimension 'age' of the metric 'shop/visits' changed from '20-29' to '30-39'.",
    "! The default of the dimension 'age' of the metric 'shop/visits' changed from '30-39' to '20-29'.",
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
    "! The default filter of the metric 'shop/visits' changed from 'state:06' to 'state:06,07'.",
    "! The default filter of the metric 'shop/visits' changed from 'state:06,07' to 'state:06'.",
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
  expect(done[0]).toBe("! The key changed from 'id' to 'id, from'.");
  expect(undone[0]).toBe("! The key changed from 'id, from' to 'id'.");
});

test.each<[part: string, other: string, done: string, undone: string]>([
  [
    '    existence: { start: opened }\n',
    '    existence: { start: opened }\n    licence: { name: CC-BY-4.0, attribution: City }\n',
    "The licence changed from 'none' to 'CC-BY-4.0; City'.",
    "The licence changed from 'CC-BY-4.0; City' to 'none'.",
  ],
  [
    '    existence: { start: opened }\n',
    '',
    '! The dataset no longer has a period of existence.',
    'The dataset now has a period of existence.',
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: opened, end: to }',
    '! The dataset has a different period: start opened, end to instead of start from, end to.',
    '! The dataset has a different period: start from, end to instead of start opened, end to.',
  ],
  [
    'period: { start: from, end: to }',
    'period: { start: opened, end: to }',
    "! The period of the metric 'shop/visits' changed from 'from/to' to 'opened/to'.",
    "! The period of the metric 'shop/visits' changed from 'opened/to' to 'from/to'.",
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
  expect(done).toContain("! The type of the field 'guests' changed from 'integer' to 'float'.");
  expect(done).toContainEqual(expect.stringMatching(/^! The dataset has a different point: /));
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
    'The order of the fields changed.',
  ]);
  expect(undone).toEqual([
    'The order of the fields changed.',
    "The layer 'stores' is new.",
    "The metric 'shop/visits' is new.",
  ]);
});
