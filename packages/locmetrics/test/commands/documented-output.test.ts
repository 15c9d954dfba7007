import { mkdir, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { COMMAND_TEXT } from '../../scripts/command-text.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';
import { runCommand } from './run-command.ts';

const inFolder = useTemporaryFolder();

const CAFES = `id,name,city,lat,lng
001,Café Alpha,Bar Harbor,44.3876,-68.2039
002,Beta,San Francisco,37.7599,-122.4148
003,Café Gamma,San Francisco,37.7726,-122.4099
`;
const VISITS = `cafe,month_start,month_end,visits
001,2024-01-01,2024-01-31,310
001,2024-02-01,2024-02-29,290
002,2024-01-01,2024-01-31,1840
002,2024-02-01,2024-02-29,1715
003,2024-01-01,2024-01-31,960
003,2024-02-01,2024-02-29,1022
`;
const MANIFEST = `format: 1
datasets:
  cafes.places:
    files: cafes.csv
    key: [id]
    point: { latitude: lat, longitude: lng }
    fields:
      id: { type: string }
      name: { type: string }
      city: { type: string }
      lat: { type: float }
      lng: { type: float }
  cafes.visits:
    files: visits.csv
    key: [cafe, month_start]
    period: { start: month_start, end: month_end }
    fields:
      cafe: { type: string }
      month_start: { type: date }
      month_end: { type: date }
      visits: { type: integer }
layers:
  cafes:
    dataset: cafes.places
    feature_id: id
    name: name
    address_components:
      city: { value: city, kind: taxonomy }
metrics:
  cafes/visits:
    dataset: cafes.visits
    layer: cafes
    feature_id: cafe
    cadence: monthly
    measure: { name: visits, field: visits, kind: count, unit: People }
`;

test('the commands of the reference print what it shows', async () => {
  await mkdir(inFolder('town'));
  await writeFile(inFolder('town/cafes.csv'), CAFES);
  await writeFile(inFolder('town/visits.csv'), VISITS);
  await writeFile(inFolder('town/locmetrics.yaml'), MANIFEST);
  const printed: Record<string, string> = {};
  const run = async (line: string): Promise<string> => {
    const { code, data, messages } = await runCommand(parametersOf(line), {
      directory: inFolder('town'),
    });
    expect([line, code, code === 0 ? '' : messages]).toEqual([line, 0, '']);
    return data;
  };
  const show = async (name: keyof typeof COMMAND_TEXT, change = (line: string) => line) => {
    printed[name] = await run(change(COMMAND_TEXT[name].line));
  };
  await show('inspect');
  await show('check');
  await show('publish');
  await writeFile(inFolder('town/cafes.csv'), CAFES.replace('Beta', 'Beta Bar'));
  await run('publish locmetrics.yaml cafes.places');
  const second = currentOf(await run('versions cafes.places'));
  for (const name of ['versions', 'diff', 'rollback', 'verify', 'gc'] as const) await show(name);
  await show('versions withdraw', (line) => line.replace(/\S+$/, second));
  for (const name of ['org create', 'org list', 'org suspend', 'org resume'] as const) {
    await show(name);
  }
  for (const name of ['grant add', 'grant list', 'grant check', 'dataset remove'] as const) {
    await show(name);
  }
  await run('token create --org portland --name reports --expires 90d');
  const [token = ''] = /(?<="tokenId":")\w+/.exec(await run('token list --json')) ?? [];
  await show('token list');
  await show('token revoke', (line) => line.replace(/\S+$/, token));
  for (const name of ['limits set', 'limits list', 'explain', 'backup'] as const) await show(name);
  const folder = inFolder('town/');
  const comparable = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [
        name,
        withoutVaried(text.replaceAll(token, ID), folder),
      ]),
    );
  expect(comparable(printed)).toEqual(
    comparable(
      Object.fromEntries(Object.entries(COMMAND_TEXT).map(([name, { prints }]) => [name, prints])),
    ),
  );
});

/** An id of a token. Those of the reference have a digit; one that was made here may be a word. */
const ID = 'ID';

/** The parameters of a line, without the quotes of a shell. */
function parametersOf(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );
}

function currentOf(versions: string): string {
  return /^cafes\.places +(\S+) +current/m.exec(versions)?.[1] ?? '';
}

/** A text without what differs from run to run: ids, times, sizes, and the widths of columns. */
function withoutVaried(text: string, folder: string): string {
  return text
    .trim()
    .replaceAll(folder, '')
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{12}/g, 'VERSION')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b(?=[a-z]*\d)[a-z0-9]{12}\b/g, ID)
    .replaceAll(/\d[\d.,]* (KiB|µs|s|a second)/g, 'N $1')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/ {2,}/g, '  ');
}
