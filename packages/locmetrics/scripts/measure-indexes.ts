import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { createRights } from '@locmetrics/core/domain/rights';
import { DEFAULT_SCOPES } from '@locmetrics/core/domain/scope';
import type { Value } from '@locmetrics/core/domain/value';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { openRowFiles } from '@locmetrics/row-store/engine/open-row-files';
import { openEmbeddedEngine } from '@locmetrics/row-store/routing/open-embedded-engine';
import { listRecords } from '@locmetrics/server/service/list-records';
import { searchFieldValues } from '@locmetrics/server/service/search-field-values';
import { createServiceContext } from '@locmetrics/server/service/service-context';

/**
 * Measures the indexes of the row store beside SQLite's own R*Tree and FTS5:
 * `node packages/locmetrics/scripts/measure-indexes.ts DATA [rounds]`. DATA is a data directory into which the manifest
 * of the benchmark was published. The questions are W2, the 100 largest places of a region in a box with their number, and
 * W3, ten names that contain a text, those that begin with it first. Each round asks both sides the same 200
 * questions; the result is the median of the processor time of a question. Answers are compared.
 */
const [, , root = '', rounds = '9'] = process.argv;
const directory = dataDirectory(root);
const catalog = openCatalog(directory);
const directoryOf = ({ dataset, version }: ReadableVersion) =>
  directory.version(dataset.name, version);
const temporaryDirectory = mkdtempSync(join(tmpdir(), 'locmetrics-indexes-'));
const columns = await openDuckdbEngine({
  directoryOf,
  temporaryDirectory,
  memoryLimitBytes: 2 ** 30,
  threads: 1,
  connectionsMax: 1,
  waitingMax: 10,
});
const rows = openRowFiles({
  directoryOf,
  isChecked: () => true,
  onLeftOut: (_, error) => {
    throw error;
  },
});
const engine = openEmbeddedEngine({ rows, columns });
const context = createServiceContext({
  catalog,
  engine,
  pageTokenKey: () => new Uint8Array(32),
  queryTimeoutMs: 30_000,
});
const caller = {
  organisationId: 'all',
  tokenId: 'token',
  scopes: DEFAULT_SCOPES,
  rights: createRights({ organisationId: 'all', grants: [wholeGrant('all', '*')] }),
};
const call = { caller, signal: AbortSignal.timeout(3_600_000) };

const SELECTION = {
  filters: [],
  options: { trimToPeriodOfExistence: 'trim' },
  filterLogic: '',
  groupBy: [],
  groupFilters: [],
  recordCount: false,
  typedValues: false,
  billingContext: '',
  pageToken: '',
  asOf: '',
  countOnly: false,
} as const;
const PLACE_FIELDS = [
  'location_id',
  'location_name',
  'region',
  'latitude',
  'longitude',
  'floor_area',
];
const places = await readAll('bench.places', PLACE_FIELDS);
const names = await readAll('bench.names', ['name']);

const sqlite = new DatabaseSync(join(temporaryDirectory, 'indexes.sqlite'));
sqlite.exec(`
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = OFF;
  CREATE VIRTUAL TABLE boxes USING rtree(
    id, south, north, west, east, +location_id, +location_name, +region, +latitude, +longitude, +floor_area);
`);
const boxBytes = grownBy(() => {
  const insert = sqlite.prepare('INSERT INTO boxes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [index, place] of places.entries()) {
    const [latitude = null, longitude = null] = place.slice(3).map(Number);
    insert.run(index, latitude, latitude, longitude, longitude, ...place.map(sqliteValue));
  }
});
// A contentless index without columns finds the ids; the names are a table, as ours are blocks.
sqlite.exec(`
  CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
  CREATE VIRTUAL TABLE terms USING fts5(name, content='names', content_rowid='id', tokenize='trigram');
`);
const termBytes = grownBy(() => {
  const insert = sqlite.prepare('INSERT INTO names VALUES (?, ?)');
  for (const [index, [name]] of names.entries()) insert.run(index, String(name));
  sqlite.exec(
    "INSERT INTO terms (terms) VALUES ('rebuild'); INSERT INTO terms (terms) VALUES ('optimize')",
  );
});
// Outside the comparison: an immutable file without locks.
sqlite.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA mmap_size = 1073741824');

type Box = { minLat: number; maxLat: number; minLng: number; maxLng: number; region: string };
const inBox = sqlite.prepare(`
  SELECT location_id, location_name, region, latitude, longitude, floor_area, count(*) OVER () AS total
  FROM boxes
  WHERE south <= $maxLat AND north >= $minLat AND west <= $maxLng AND east >= $minLng
    AND latitude BETWEEN $minLat AND $maxLat AND longitude BETWEEN $minLng AND $maxLng AND region = $region
  ORDER BY floor_area DESC, location_id LIMIT 100`);
const withTerm = sqlite.prepare(`
  SELECT name FROM terms WHERE terms MATCH $match
  ORDER BY name NOT LIKE $prefix, name LIMIT 10`);

const boxOurs = async (box: Box) => {
  const { region, ...boundingBox } = box;
  const { size, totalSize, visit } = await listRecords(
    context,
    {
      ...SELECTION,
      dataReferenceName: 'bench.places',
      fields: PLACE_FIELDS.map((name) => ({ name, source: '' })),
      filters: [{ fieldName: 'region', operator: '==', value: region, values: [] }],
      options: {
        trimToPeriodOfExistence: 'trim',
        boundingBox,
        orderBy: { fieldName: 'floor_area', descending: true },
      },
      pageSize: 100,
    },
    call,
  );
  const found: Value[][] = Array.from({ length: size }, () => []);
  for (const [index, record] of found.entries()) {
    visit(index, {
      text: (_, { bytes }, start, end) => record.push(bytes.toString('utf8', start, end)),
      number: (_, value) => record.push(value),
      day: (_, days) => record.push(days),
      value: (_, value) => record.push(value),
    });
  }
  return [found, totalSize];
};
const boxSqlite = async (box: Box) => {
  const found = inBox
    .all(box)
    .map(({ total, ...record }) => ({ total, record: Object.values(record) }));
  return [found.map(({ record }) => record), found[0]?.total ?? 0];
};
const termOurs = async (term: string) => {
  const request = {
    ...SELECTION,
    dataReferenceName: 'bench.names',
    field: { name: 'name', source: '' },
  };
  const { values } = await searchFieldValues(context, { ...request, term, pageSize: 10 }, call);
  return values;
};
const termSqlite = async (term: string) =>
  withTerm.all({ match: `"${term}"`, prefix: `${term}%` }).map(({ name }) => name);

await compare('W2, a box and a region', {
  draw: drawBox,
  ours: boxOurs,
  other: boxSqlite,
  name: 'R*Tree',
});
await compare('W3, a text in a name', {
  draw: drawTerm,
  ours: termOurs,
  other: termSqlite,
  name: 'FTS5',
});
print(`R*Tree with the fields beside it: ${Math.round(boxBytes / places.length)} bytes a place`);
print(`FTS5 by trigrams and its names: ${Math.round(termBytes / names.length)} bytes a name`);
sqlite.close();
await engine.close();
rmSync(temporaryDirectory, { recursive: true });

async function compare<Question>(
  title: string,
  {
    draw,
    ours,
    other,
    name,
  }: {
    readonly draw: () => Question;
    readonly ours: (question: Question) => Promise<unknown>;
    readonly other: (question: Question) => Promise<unknown>;
    readonly name: string;
  },
): Promise<void> {
  const times = { ours: [] as number[], other: [] as number[] };
  for (let round = 0; round <= Number(rounds); round += 1) {
    const questions = Array.from({ length: 200 }, draw);
    for (const side of round % 2 === 0
      ? (['ours', 'other'] as const)
      : (['other', 'ours'] as const)) {
      const ask = side === 'ours' ? ours : other;
      const begun = process.cpuUsage();
      for (const question of questions) await ask(question);
      const { user, system } = process.cpuUsage(begun);
      // The first round warms up.
      if (round > 0) times[side].push((user + system) / questions.length);
    }
    for (const question of questions) {
      const [a, b] = [await ours(question), await other(question)].map((one) =>
        JSON.stringify(one),
      );
      if (a !== b) throw new Error(`The answers to ${JSON.stringify(question)} differ.`);
    }
  }
  print(`${title}: the row store ${median(times.ours)} µs, ${name} ${median(times.other)} µs`);
}

/** All records of a dataset, in the order of the key. */
async function readAll(
  name: string,
  fields: readonly string[],
): Promise<readonly (readonly Value[])[]> {
  const version = catalog.snapshot().datasets.get(name);
  if (version === undefined) throw new Error(`${name} was not published into ${root}.`);
  const plan = {
    kind: 'records',
    version,
    fields: version.dataset.fields.filter((field) => fields.includes(field.name)),
    predicates: [],
    order: [],
    keyDescending: false,
    limit: 2_000_000,
  } as const;
  return (await columns.run(plan, call.signal)).rows;
}

/** The bytes by which the file of SQLite grows. */
function grownBy(fill: () => void): number {
  const bytes = () =>
    Number(
      sqlite
        .prepare('SELECT page_count * page_size AS n FROM pragma_page_count, pragma_page_size')
        .get()?.['n'],
    );
  const before = bytes();
  sqlite.exec('BEGIN');
  fill();
  sqlite.exec('COMMIT');
  return bytes() - before;
}

function sqliteValue(value: Value | undefined): string | number | null {
  return typeof value === 'string' || value === null ? value : Number(value);
}

/** A box of 0.2 to 2 degrees near a place. */
function drawBox(): Box {
  const [, , region, latitude, longitude] = places[Math.floor(Math.random() * places.length)] ?? [];
  const half = 0.1 + 0.9 * Math.random();
  const middle = [Number(latitude), Number(longitude)].map(
    (degrees) => degrees + Math.random() - 0.5,
  );
  const [south = 0, west = 0] = middle.map((degrees) => Number((degrees - half).toFixed(4)));
  const [north = 0, east = 0] = middle.map((degrees) => Number((degrees + half).toFixed(4)));
  return { minLat: south, maxLat: north, minLng: west, maxLng: east, region: String(region) };
}

/** 3 to 7 letters of a name. */
function drawTerm(): string {
  const name = String(names[Math.floor(Math.random() * names.length)]?.[0]);
  const length = 3 + Math.floor(Math.random() * 5);
  const start = Math.floor(Math.random() * Math.max(1, name.length - length));
  return name.slice(start, start + length);
}

function median(values: readonly number[]): number {
  return Math.round(values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
