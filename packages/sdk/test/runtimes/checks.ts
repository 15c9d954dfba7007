/**
 * The checks that are the same in each runtime, beside the examples of the README. It uses nothing of Node but the variables, which
 * are replaced by their values for a browser.
 */
import {
  ConnectionError,
  createClient,
  PageTokenExpiredError,
  ServiceError,
  TooManyRowsError,
} from '@locmetrics/client';

const url = process.env['LOCMETRICS_URL'] ?? '';
const client = createClient({
  url,
  token: process.env['LOCMETRICS_TOKEN'] ?? '',
  billingContext: process.env['LOCMETRICS_ORG'] ?? '',
});

const ofAcadia = client.records('ml_visitation.foot_traffic_month', {
  filters: [{ fieldName: 'location_id', operator: '==', value: 'ACAD' }],
  pageSize: 100,
});
let records = 0;
let pages = 0;
for await (const record of ofAcadia) records += Number(typeof record['visits_sum'] === 'number');
for await (const page of ofAcadia.pages()) pages += Number(page.records.length > 0);
say(`${records} records on ${pages} pages`);
await refused(ofAcadia.all({ maxRows: 10 }));

// A filter too long for an address is sent by POST.
const featureFilter = ['ACAD', ...Array.from({ length: 2_000 }, (_, index) => `NONE${index}`)];
const values = client.metricValues({
  catalogId: 'nps',
  metricId: 'foot_traffic_monthly',
  featureFilter,
  observationPeriodFilter: { start: '2023-06-01', end: '2023-08-31' },
});
const summer = await values.all();
say(`${summer.map(({ value }) => value.count).join(' ')} ${summer[0]?.value.unit}`);

const inStream = client.streamRecords('ml_visitation.foot_traffic_month', {
  filters: [{ fieldName: 'location_id', operator: '==', value: 'ACAD' }],
});
let rows = 0;
for await (const record of inStream) rows += Number(typeof record['visits_sum'] === 'number');
const { body } = await inStream.download('csv');
const lines = (await new Response(body).text()).trimEnd().split('\r\n');
let untilBreak = 0;
for await (const _ of client.streamRecords('ml_visitation.foot_traffic_month')) {
  untilBreak += 1;
  break;
}
say(
  `${rows} records in a stream, ${lines.length} lines of CSV, ${untilBreak} record until the break`,
);
const brokenUrl = process.env['BROKEN_URL'] ?? '';
const broken = createClient({ url: brokenUrl, token: 'x' });
for (const dataset of ['plain', 'gzip']) {
  let arrived = 0;
  try {
    for await (const _ of broken.streamRecords(dataset)) {
      arrived += 1;
      await fetch(`${brokenUrl}/break`);
    }
    say(`${dataset}: it ended as if it was complete`);
  } catch (error) {
    const name = error instanceof ConnectionError ? error.name : error;
    say(`${dataset}: ${name} after ${arrived} record`);
  }
}

const { maxzoom, tiles } = await client.describeTiles({
  dataReferenceName: 'ml_visitation.places',
});
say(`Tiles to zoom ${maxzoom} at ${tiles[0]?.replace(url, 'the service')}`);

const expired = createClient({ url, token: process.env['EXPIRED_TOKEN'] ?? '' });
await refused(expired.listCatalogs());
const other = createClient({ url, token: process.env['OTHER_TOKEN'] ?? '', retries: 0 });
const pageToken = process.env['EXPIRED_PAGE_TOKEN'] ?? '';
await refused(other.listRecords({ dataReferenceName: 'mobility.states', pageSize: 10, pageToken }));
const limited = createClient({ url, token: process.env['LIMITED_TOKEN'] ?? '', retries: 0 });
await refused(Promise.all(Array.from({ length: 20 }, () => limited.listCatalogs())));

const between = new AbortController();
const many = client.metricValues(
  { catalogId: 'nps', metricId: 'foot_traffic_monthly', pageSize: 10 },
  { signal: between.signal },
);
let read = 0;
try {
  for await (const _ of many) {
    read += 1;
    if (read === 25) between.abort(new Error('Enough'));
  }
} catch (error) {
  say(
    `The reason of the signal is thrown after ${read} values: ${error === between.signal.reason}`,
  );
}
const inFlight = new AbortController();
const cancelled = client.listCatalogs({ signal: inFlight.signal });
inFlight.abort();
await refused(cancelled);

// Nothing listens there.
await refused(createClient({ url: 'http://127.0.0.1:9', token: 'x', retries: 0 }).listCatalogs());

async function refused(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
    say('not refused');
  } catch (error) {
    if (error instanceof ServiceError) {
      const { status, reason, detail, hint, limit, retryAfterMs } = error;
      say(`${error.name} ${status} ${reason}: ${hint}`);
      if (error instanceof PageTokenExpiredError) say(detail);
      if (limit !== undefined) say(`${limit}, with a time to wait: ${Number(retryAfterMs) > 0}`);
    } else if (error instanceof TooManyRowsError) say(`${error.name}: ${error.totalSize}`);
    else if (error instanceof ConnectionError)
      say(`${error.name}: ${error.cause instanceof Error}`);
    else if (error instanceof Error) say(error.name);
  }
}

function say(line: string): void {
  // biome-ignore lint/suspicious/noConsole: all runtimes have it.
  console.log(line);
}
