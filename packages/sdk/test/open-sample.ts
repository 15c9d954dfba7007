import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { createTestData, type TestData } from '../../locmetrics/test/edge/test-data.ts';
import {
  openTestServer,
  type ServerOptions,
  type TestServer,
} from '../../locmetrics/test/edge/test-server.ts';
import { type Client, type ClientOptions, createClient } from '../src/index.ts';

const SAMPLE = fileURLToPath(new URL('../../locmetrics/sample/locmetrics.yaml', import.meta.url));
/** The metrics of the sample have no dimensions. */
const TRIPS = fileURLToPath(
  new URL('../../locmetrics/test/fixtures/trips/locmetrics.yaml', import.meta.url),
);

/** A server with the sample and the trips for the tests of a file, and clients of it. */
export function useSample(options: ServerOptions = {}): {
  readonly url: () => string;
  readonly server: () => TestServer;
  readonly data: () => TestData;
  readonly client: (options?: Partial<ClientOptions>) => Client;
} {
  let data: TestData;
  let server: TestServer;
  beforeAll(async () => {
    data = await createTestData({ organisationId: 'demo', name: 'Demo' });
    await data.publishManifest(SAMPLE);
    await data.publishManifest(TRIPS);
    server = await openTestServer(data, options);
  });
  afterAll(async () => {
    await server.close();
    await data.remove();
  });
  return {
    url: () => server.url,
    server: () => server,
    data: () => data,
    client: (given) =>
      createClient({ url: server.url, token: data.token, billingContext: 'demo', ...given }),
  };
}
