import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { createTestData, type TestData } from '../../server/test/edge/test-data.ts';
import { openTestServer, type TestServer } from '../../server/test/edge/test-server.ts';
import { type Client, type ClientOptions, createClient } from '../src/index.ts';

const SAMPLE = fileURLToPath(new URL('../../server/sample/locmetrics.yaml', import.meta.url));
/** The metrics of the sample have no dimensions. */
const TRIPS = fileURLToPath(
  new URL('../../server/test/fixtures/trips/locmetrics.yaml', import.meta.url),
);

/** A server with the sample and the trips for the tests of a file, and clients of it. */
export function useSample(): {
  readonly url: () => string;
  readonly data: () => TestData;
  readonly client: (options?: Partial<ClientOptions>) => Client;
} {
  let data: TestData;
  let server: TestServer;
  beforeAll(async () => {
    data = await createTestData({ organisationId: 'demo', name: 'Demo' });
    await data.publishManifest(SAMPLE);
    await data.publishManifest(TRIPS);
    server = await openTestServer(data);
  });
  afterAll(async () => {
    await server.close();
    await data.remove();
  });
  return {
    url: () => server.url,
    data: () => data,
    client: (options) =>
      createClient({ url: server.url, token: data.token, billingContext: 'demo', ...options }),
  };
}
