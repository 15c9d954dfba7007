import { fetchOnce } from '../ask-once.ts';
import { placeId } from '../dataset/world.ts';
import type { Target } from '../driver/load-order.ts';
import { member } from '../workloads/read-json.ts';
import type { AdminCalls } from './admin-calls.ts';
import type { HeldSeries, Organisation } from './organisation.ts';
import { bearer, seriesRequest } from './questions.ts';

export type OrganisationsSize = {
  readonly organisations: number;
  readonly tokensOfEach: number;
  readonly places: number;
};

/** The fields of places that the organisations do not see. */
const HIDDEN = ['brand', 'floor_area', 'street_address'];

/**
 * Creates organisations by the admin interface, with limits, hidden fields and row filters, and asks for the
 * series of each place once, so that its tag is known.
 */
export async function openOrganisations(
  target: Target,
  admin: AdminCalls,
  { organisations, tokensOfEach, places }: OrganisationsSize,
): Promise<readonly Organisation[]> {
  const fields = (await admin.fieldsOf('bench.places')).filter((name) => !HIDDEN.includes(name));
  const placesOfEach = Math.ceil(places / organisations);
  return inParallel(
    Array.from({ length: organisations }, (_, index) => async () => {
      const id = `org-${index}`;
      await admin.post('organisations', { name: `Organisation ${index}`, id });
      await admin.put(`organisations/${id}/limits`, LIMITS);
      await admin.post('grants', {
        organisationId: id,
        pattern: 'bench.places',
        filters: [{ fieldName: 'is_obfuscated', operator: '==', value: 'false' }],
        fields,
      });
      await admin.post('grants', { organisationId: id, pattern: 'bench.names' });
      await admin.post('grants', {
        organisationId: id,
        pattern: 'bench/visits_monthly',
        addressComponentFilter: [{ component: 'iso_country_code', values: ['US'] }],
        fields: METRIC_FIELDS,
      });
      const tokens: string[] = [];
      for (let count = 0; count < tokensOfEach; count++) {
        tokens.push((await admin.createToken(id)).token);
      }
      const held: HeldSeries[] = [];
      for (let at = index * placesOfEach; at < Math.min(places, (index + 1) * placesOfEach); at++) {
        held.push(await readTag(target, id, tokens[0] ?? '', placeId(at)));
      }
      return { id, tokens, places: held };
    }),
  );
}

/** Far above what is asked: a limit that refuses would end the measurement. */
const LIMITS = {
  requestsPerSecond: 1_000_000,
  burst: 1_000_000,
  rowsPerDay: 1_000_000_000,
  concurrentQueries: 1000,
};

const METRIC_FIELDS = [
  'visit_count',
  'us_state_2020',
  'us_county_2020',
  'city',
  'iso_country_code',
  'is_obfuscated',
];

async function readTag(
  target: Target,
  organisation: string,
  token: string,
  place: string,
): Promise<HeldSeries> {
  const request = { ...seriesRequest(organisation, place), headers: bearer(token) };
  const response = await fetchOnce({ ...target, headers: {} }, request);
  const total = member(await response.json(), 'totalSize');
  const tag = response.headers.get('etag');
  if (!response.ok || tag === null || total === 0) {
    throw new Error(`The series of ${place} was answered ${response.status}, of ${total} values.`);
  }
  return { place, tag };
}

async function inParallel<Result>(
  works: readonly (() => Promise<Result>)[],
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = [...works.entries()];
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, work] = next;
        results[index] = await work();
      }
    }),
  );
  return results;
}

const PARALLEL = 8;
