import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckdbEngine } from '@locmetrics/column-store/engine/open-duckdb-engine';
import type { Caller } from '@locmetrics/core/domain/caller';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import { createRights } from '@locmetrics/core/domain/rights';
import { DEFAULT_SCOPES } from '@locmetrics/core/domain/scope';
import type { Value } from '@locmetrics/core/domain/value';
import type { ReadPlan } from '@locmetrics/core/plan/read-plan';
import type { Engine } from '@locmetrics/core/storage/engine';
import { dataDirectory } from '@locmetrics/data-directory/versions/data-directory';
import { openCatalog } from '@locmetrics/data-directory/versions/open-catalog';
import { openRowEngine } from '@locmetrics/row-store/engine/open-row-engine';
import { openRowFiles } from '@locmetrics/row-store/engine/open-row-files';
import { routePlan } from '@locmetrics/row-store/routing/route-plan';
import { listRecords } from '@locmetrics/server/service/list-records';
import { searchMetricValues } from '@locmetrics/server/service/metrics/search-metric-values';
import { describePlan } from '@locmetrics/server/service/queries/describe-plan';
import { searchFieldValues } from '@locmetrics/server/service/search-field-values';
import { createServiceContext } from '@locmetrics/server/service/service-context';

/**
 * Measures how long the row store holds the event loop, with random requests over the dataset of the benchmark:
 * `node packages/locmetrics/scripts/measure-loop.ts DATA [requests] [seed]`. DATA is a data directory into which
 * its manifest was published. The time is that in µs up to where a plan first waits, the least of ten runs, so that other
 * load of the machine hardly counts. Plans of the column store are not run.
 */
const [, , root = '', requests = '20000', seed = '1'] = process.argv;
const directory = dataDirectory(root);
const catalog = openCatalog(directory);
const directoryOf = ({ dataset, version }: ReadableVersion) =>
  directory.version(dataset.name, version);
const rows = openRowFiles({
  directoryOf,
  isChecked: () => true,
  onLeftOut: (_, error) => {
    throw error;
  },
});
const temporaryDirectory = mkdtempSync(join(tmpdir(), 'locmetrics-loop-'));
const columns = await openDuckdbEngine({
  directoryOf,
  temporaryDirectory,
  memoryLimitBytes: 2 ** 29,
  threads: 1,
  connectionsMax: 1,
  waitingMax: 10,
});
const rowEngine = openRowEngine((version) => {
  const file = rows.find(version);
  if (file === undefined) throw new Error(`${version.dataset.name} has no row file.`);
  return file;
});

const WARM_UP = 2000;

type Measured = { readonly us: number; readonly boundUs: number; readonly plan: string };
const measured = new Map<string, Measured[]>();
let toColumns = 0;

/** The answer to plans of the column store. */
const EMPTY = { size: 0, rows: [], values: [], hasMore: false, positionAt: () => never() };
function never(): never {
  throw new Error('An empty page has no positions.');
}

async function runPlan(plan: ReadPlan, signal: AbortSignal): Promise<unknown> {
  if (plan.kind === 'extent') return columns.run(plan, signal);
  const { store, access, boundUs = 0 } = routePlan(plan, rows.find);
  if (store === 'columns') {
    toColumns += 1;
    return plan.kind === 'count' ? 0 : EMPTY;
  }
  let us = Number.POSITIVE_INFINITY;
  let running: Promise<unknown> | undefined;
  for (let time = 0; time < 10; time += 1) {
    const begun = performance.now();
    running = rowEngine.run(plan, access, signal);
    us = Math.min(us, Math.round((performance.now() - begun) * 1000));
    await running;
  }
  const isNarrowed = 'version' in plan && plan.version.narrowing !== undefined;
  const kind = `${plan.kind} by ${access.kind}${isNarrowed ? ', with rights' : ''}`;
  const known = measured.get(kind) ?? [];
  known.push({ us, boundUs, plan: JSON.stringify(describePlan(plan)) });
  measured.set(kind, known);
  return running ?? EMPTY;
}

const context = createServiceContext({
  catalog,
  // Each kind of plan gets its kind of result.
  engine: { ...columns, run: runPlan as Engine['run'] },
  pageTokenKey: () => new Uint8Array(32),
  queryTimeoutMs: 30_000,
});

const callerOf = (organisationId: string, states: readonly string[]): Caller => {
  const filters = states.length === 0 ? [] : [where('region', 'in', states)];
  const grants = [
    wholeGrant('all', '*'),
    ...(states.length === 0 ? [] : [{ ...wholeGrant('places', 'bench.places'), filters }]),
  ];
  const rights = createRights({ organisationId, grants });
  return { organisationId, tokenId: 'token', scopes: DEFAULT_SCOPES, rights };
};

const random = randomNumbers(Number(seed));
const below = (bound: number): number => Math.floor(random() * bound);
const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
const where = (fieldName: string, operator: string, values: readonly string[]): FilterClause => ({
  fieldName,
  operator,
  value: operator === 'in' ? '' : (values[0] ?? ''),
  values: operator === 'in' ? values : [],
});

const { dataset, version } = catalog.snapshot().datasets.get('bench.places') ?? never();
const placeFields = ['location_id', 'latitude', 'longitude', 'region'];
const { rows: places } = await columns.run(
  {
    kind: 'records',
    version: catalog.snapshot().datasets.get('bench.places') ?? never(),
    fields: placeFields.map(
      (name) => dataset.fields.find((field) => field.name === name) ?? never(),
    ),
    predicates: [],
    order: [],
    keyDescending: false,
    limit: 200_000,
  },
  AbortSignal.timeout(60_000),
);
const place = (): readonly Value[] => pick(places);
const id = (): string => String(place()[0]);
const ids = (max: number): readonly string[] => Array.from({ length: 1 + below(max) }, id);
const month = (): string => `20${22 + below(3)}-${String(1 + below(12)).padStart(2, '0')}-01`;
const pageSize = (): number => Math.round(10 ** (random() * 4));
/** A box of 0.001° to 30° around a place. */
const box = () => {
  const [, latitude = 0, longitude = 0] = place().map(Number);
  const half = 10 ** (random() * 4.5 - 3.3);
  return {
    minLng: Math.max(-180, longitude - half),
    maxLng: Math.min(180, longitude + half),
    minLat: Math.max(-90, latitude - half),
    maxLat: Math.min(90, latitude + half),
  };
};
const ROWS = {
  fields: [],
  filterLogic: '',
  groupBy: [],
  groupFilters: [],
  recordCount: false,
  typedValues: false,
  billingContext: '',
  pageToken: '',
  asOf: '',
};
const selection = (dataReferenceName: string, filters: readonly FilterClause[]) => ({
  ...ROWS,
  dataReferenceName,
  filters,
  options: { trimToPeriodOfExistence: 'trim' } as const,
  pageSize: pageSize(),
  countOnly: random() < 0.2,
});
const by = (fieldName: string) =>
  random() < 0.5 ? {} : { orderBy: { fieldName, descending: random() < 0.5 } };

const CALLERS = [callerOf('all', []), callerOf('narrow', ['NY', 'CA', 'TX', 'IL', 'FL'])];
type Ask = (caller: Caller, signal: AbortSignal) => Promise<unknown>;

/** A random request of each operation and index. */
const ASK: readonly Ask[] = [
  (caller, signal) =>
    listRecords(context, selection('bench.places', [where('location_id', 'in', ids(40))]), {
      caller,
      signal,
    }),
  (caller, signal) => {
    const more = random() < 0.5 ? [] : [where('visits', '>', [String(below(100))])];
    const filters = [where('location_id', 'in', ids(60)), ...more];
    return listRecords(context, selection('bench.visits', filters), { caller, signal });
  },
  (caller, signal) =>
    listRecords(context, selection('bench.long_visits', [where('location_id', 'in', ids(5))]), {
      caller,
      signal,
    }),
  (caller, signal) => {
    const region = random() < 0.5 ? [] : [where('region', '==', [String(place()[3])])];
    const options = {
      trimToPeriodOfExistence: 'trim',
      boundingBox: box(),
      ...by('floor_area'),
    } as const;
    const request = { ...selection('bench.places', region), options };
    return listRecords(context, request, { caller, signal });
  },
  (caller, signal) => {
    const filters = random() < 0.3 ? [] : [where('observation_start_date', '>=', [month()])];
    const options = { trimToPeriodOfExistence: 'trim', ...by('visits') } as const;
    const request = { ...selection('bench.visits', filters), options };
    return listRecords(context, request, { caller, signal });
  },
  (caller, signal) => {
    const term = Array.from({ length: 3 + below(5) }, (_, index) =>
      pick([...(index % 2 === 0 ? 'bcdfghjklmnprstv' : 'aeiou')]),
    ).join('');
    const request = { ...selection('bench.names', []), field: { name: 'name', source: '' }, term };
    return searchFieldValues(context, request, { caller, signal });
  },
  (caller, signal) =>
    searchMetricValues(
      context,
      {
        ...ROWS,
        catalogId: 'bench',
        metricId: random() < 0.8 ? 'visits_monthly' : 'visits_monthly_long',
        billingContext: caller.organisationId,
        trackTotalHits: true,
        featureFilter: ids(30),
        observationPeriodFilter: random() < 0.5 ? {} : { start: month() },
        addressComponentFilter: [],
        dimensionFilter: [],
        relatedFeatureFilter: [],
        relatedAddressComponentFilter: [],
        valueFilter: [],
        invertSortOrder: random() < 0.2,
        bestEffortQueryWhenNotAllowed: false,
        addressComponentWhitelist: [],
        skipGeo: false,
        pageSize: pageSize(),
        countOnly: random() < 0.1,
      },
      { caller, signal },
    ),
];

try {
  const { signal } = new AbortController();
  // The first requests compile the code.
  for (let request = 0; request < Number(requests) + WARM_UP; request += 1) {
    if (request === WARM_UP) measured.clear();
    await pick(ASK)(pick(CALLERS), signal);
  }
} finally {
  rows.close();
  await columns.close();
  rmSync(temporaryDirectory, { recursive: true });
}

process.stdout.write(`${version}, ${toColumns} plans to the column store; µs of the event loop\n`);
for (const [kind, all] of [...measured].sort()) {
  const sorted = all.toSorted((left, right) => left.us - right.us);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.us;
  process.stdout.write(
    `${kind}: ${all.length} plans, p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}\n`,
  );
  for (const { us, boundUs, plan } of sorted.slice(-2)) {
    process.stdout.write(`  ${us}, bound ${Math.ceil(boundUs)}: ${plan}\n`);
  }
}

/** The same numbers for the same seed: mulberry32. */
function randomNumbers(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
