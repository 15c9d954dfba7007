import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../locmetrics/test/support/temporary-folder.ts';
import { buildClient } from '../scripts/build-client.ts';
import { useSample } from './open-sample.ts';
import { COMPILER, type Ended, runNode } from './run-command.ts';

const { url, data } = useSample();

let root = '';
let built = '';
beforeAll(() => {
  root = temporaryFolder();
  built = join(root, 'node_modules', '@locmetrics', 'client');
  mkdirSync(built, { recursive: true });
  buildClient(built);
});

/** Every line after `@ts-expect-error` must be an error; all else must compile. */
const PROGRAM = `
import { createClient } from '@locmetrics/client';
import type { Datasets } from './datasets.js';

const client = createClient<Datasets>({ url: 'https://data.example.org', token: 'x' });
const PLACES = 'ml_visitation.places';
const places = client.records(PLACES, {
  fields: ['city', 'latitude'],
  filters: [
    { fieldName: 'region', operator: '==', value: 'CA' },
    { fieldName: 'latitude', operator: '>=', value: 32.5 },
  ],
  orderBy: { fieldName: 'latitude', direction: 'DESC' },
  thenBy: [{ fieldName: 'city' }],
});
for await (const place of places) {
  const city: string | null = place.city;
  const latitude: number | null = place.latitude;
  // @ts-expect-error: the field was not asked for.
  place.region;
  // @ts-expect-error: the dataset has no such field.
  place.citty;
  void [city, latitude];
}
for await (const place of client.records(PLACES)) void place.region;
const near = { longitude: -118.2, latitude: 34.1 };
for await (const place of client.records(PLACES, { fields: ['city'], near })) {
  const metres: number | null = place.distance_metres;
  void [place.city, metres];
}
for await (const place of client.streamRecords(PLACES, { near })) void place.distance_metres;
// @ts-expect-error: only records in the order of their distance have it.
for await (const place of client.records(PLACES)) void place.distance_metres;
for await (const value of client.fieldValues(PLACES, 'city')) void value.toUpperCase();
// @ts-expect-error: no such dataset.
client.records('ml_visitation.plates');
// @ts-expect-error: no such field.
client.records(PLACES, { fields: ['citty'] });
// @ts-expect-error: a filter on no such field.
client.records(PLACES, { filters: [{ fieldName: 'citty', operator: '==', value: 'x' }] });
// @ts-expect-error: an operator that the type of the field does not have.
client.records(PLACES, { filters: [{ fieldName: 'city', operator: '>=', value: 'x' }] });
// @ts-expect-error: a value of another type.
client.records(PLACES, { filters: [{ fieldName: 'city', operator: '==', value: 5 }] });
// @ts-expect-error: an order by no such field.
client.records(PLACES, { orderBy: { fieldName: 'citty' } });
// @ts-expect-error: a further key that is no field.
client.records(PLACES, { orderBy: { fieldName: 'city' }, thenBy: [{ fieldName: 'citty' }] });
// @ts-expect-error: values of no such field.
client.fieldValues(PLACES, 'citty');
for await (const place of createClient({ url: '', token: '' }).records('any.dataset')) void place['any'];
const stream = client.streamRecords(PLACES, { fields: ['city', 'latitude'], trackTotalHits: true });
for await (const place of stream) {
  const latitude: number | null = place.latitude;
  // @ts-expect-error: the field was not asked for.
  place.region;
  void latitude;
}
const body: ReadableStream<Uint8Array> = (await stream.download('csv')).body;
// @ts-expect-error: no such format.
stream.download('xlsx');
// @ts-expect-error: a stream has no pages.
client.streamRecords(PLACES, { pageSize: 10 });
// @ts-expect-error: no such field.
client.streamRecords(PLACES, { orderBy: { fieldName: 'citty' } });
for await (const row of client.streamMetricValues({ catalogId: 'nps', metricId: 'visits' })) {
  const id: string = row.feature_id;
  const state: string | number | boolean | null | undefined = row['us_state_2020'];
  void [id, state, body];
}
`;

test('a wrong dataset, field, operator or value does not compile with the printed types', async () => {
  const printed = await run(['types', '--url', url()], { LOCMETRICS_TOKEN: data().token });
  expect(printed).toMatchObject({ code: 0, errors: '' });
  writeFileSync(join(root, 'datasets.d.ts'), printed.output);
  writeFileSync(join(root, 'program.ts'), PROGRAM);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  for (const module of ['nodenext', 'preserve']) {
    const compiled = await runNode(
      [
        ...[COMPILER, '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022'],
        ...['--module', module, '--lib', 'es2022,dom', '--types', '', 'program.ts'],
      ],
      { folder: root },
    );
    expect(compiled).toEqual({ code: 0, output: '', errors: '' });
  }
});

test('the printed types have a description, a type and operators for each field', async () => {
  const { output } = await run(['types'], {
    LOCMETRICS_URL: url(),
    LOCMETRICS_TOKEN: data().token,
  });
  expect(output).toContain(
    '      /** Code of the park in the National Park Service. */\n      readonly location_id: TextField;\n',
  );
  expect(/type NumberField = [^}]*\}/.exec(output)?.[0]).toMatchInlineSnapshot(`
    "type NumberField = {
      readonly value: number | null;
      readonly operator: "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not_in" | "is_empty" | "is_not_empty";
    }"
  `);
});

test.each([
  [['types'], {}, 2, 'The address is missing: set --url or LOCMETRICS_URL.\n'],
  [['types', '--url', 'x'], {}, 2, 'The token is missing: set LOCMETRICS_TOKEN.\n'],
  [['kinds'], {}, 2, /^Usage: locmetrics-client types/],
  [['types', '--adress', 'x'], {}, 2, /^Unknown option '--adress'/],
])('locmetrics-client %j tells what is wrong', async (args, environment, code, errors) => {
  expect(await run(args, environment)).toEqual({
    code,
    output: '',
    errors: expect.stringMatching(errors),
  });
});

test('a refused token is told as one line', async () => {
  const { code, errors } = await run(['types', '--url', url()], { LOCMETRICS_TOKEN: 'wrong' });
  expect({ code, lines: errors.split('\n').length }).toEqual({ code: 1, lines: 2 });
  expect(errors).toMatch(/token/i);
});

/** Runs the built command. */
function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  return runNode([join(built, 'src', 'node', 'main.js'), ...args], { folder: root, environment });
}
