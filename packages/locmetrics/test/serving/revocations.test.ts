import { Agent, request } from 'node:http';
import { credentials } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { wholeGrant } from '@locmetrics/core/domain/grant';
import { beforeAll, expect, test } from 'vitest';
import { linesOf, runCommand } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { type GrpcTestClient, openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { releaseLater } from '../support/release.ts';

const CONNECTIONS = 4;

let data: TestData;
let serving: Service;
beforeAll(async () => {
  data = await createTestData();
  releaseLater(() => data.remove());
  await data.publishFiles(SHOPS);
  serving = await startService(data.directory.root, [
    ...['--grpc-plaintext', '127.0.0.1:0', '--workers', '2'],
  ]);
});

/** Connections that stay open, over both edges and to both workers. */
type Connections = {
  /** Whether the next request on each connection is answered. */
  readonly ask: (token: string, billingContext?: string) => Promise<readonly boolean[]>;
  readonly close: () => void;
};

function openConnections(): Connections {
  const { url: http } = serving;
  const grpc = serving.addressOf('grpc');
  const agents = Array.from(
    { length: CONNECTIONS },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  const clients = agents.map(() =>
    openGrpcClient(grpc, {
      token: '',
      channel: credentials.createInsecure(),
      options: { 'grpc.use_local_subchannel_pool': 1 },
    }),
  );
  return {
    ask: (token, billingContext = ORGANISATION_ID) =>
      Promise.all([
        ...agents.map((agent) =>
          isAnsweredOverHttp(`${http}/v3/catalog/listDataReferences`, agent, {
            token,
            billingContext,
          }),
        ),
        ...clients.map((client) => isAnsweredOverGrpc(client, { token, billingContext })),
      ]),
    close: () => {
      for (const agent of agents) agent.destroy();
      for (const client of clients) client.close();
    },
  };
}

type Asked = { readonly token: string; readonly billingContext: string };

function isAnsweredOverHttp(
  url: string,
  agent: Agent,
  { token, billingContext }: Asked,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    })
      .on('error', reject)
      .end(JSON.stringify({ billingContext }));
  });
}

async function isAnsweredOverGrpc(
  client: GrpcTestClient,
  { token, billingContext }: Asked,
): Promise<boolean> {
  const { listDataReferences } = catalogV3.CatalogQuery.method;
  const options = { metadata: { authorization: `Bearer ${token}` } };
  return client.ask(listDataReferences, { billingContext }, options).then(
    () => true,
    () => false,
  );
}

test('a suspension and its end hold for the next request on every worker and edge', async () => {
  const { store, directory } = data;
  store.createOrganisation({ id: 'customer', name: 'Customer' });
  store.addGrant('customer', wholeGrant('', '*'));
  const { tokenText } = store.createToken({ organisationId: 'customer', name: 'x' });
  const connections = openConnections();
  const { url } = serving;
  const change = {
    'by the store': async (to: 'suspend' | 'resume') =>
      to === 'suspend'
        ? store.suspendOrganisation('customer')
        : store.resumeOrganisation('customer'),
    'by the command': (to: string) => runCommand(['org', to, 'customer', '--data', directory.root]),
    'by the admin interface': (to: string) =>
      fetch(`${url}/v1/admin/organisations/customer/${to}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${data.adminToken}`, 'content-type': 'application/json' },
        body: '{}',
      }),
  };
  try {
    for (const make of [...Object.values(change), ...Object.values(change)]) {
      expect(await connections.ask(tokenText, 'customer')).toEqual(
        Array(2 * CONNECTIONS).fill(true),
      );
      await make('suspend');
      expect(await connections.ask(tokenText, 'customer')).toEqual(
        Array(2 * CONNECTIONS).fill(false),
      );
      expect(await connections.ask(data.token)).toEqual(Array(2 * CONNECTIONS).fill(true));
      await make('resume');
    }
    const { data: usage } = await runCommand([
      ...['usage', '--org', 'customer', '--json', '--data', directory.root],
    ]);
    expect(JSON.parse(usage).total.requests).toBe(6 * 2 * CONNECTIONS);
  } finally {
    connections.close();
  }
});

test('a revocation holds for the next request on every worker and edge', async () => {
  const before = linesOf(serving).length;
  const connections = openConnections();
  try {
    for (let revocation = 0; revocation < 6; revocation += 1) {
      const token = data.store.createToken({ organisationId: ORGANISATION_ID, name: 'x' });
      expect(await connections.ask(token.tokenText)).toEqual(Array(2 * CONNECTIONS).fill(true));
      if (revocation % 3 === 0) data.store.revokeToken(token.tokenId);
      else if (revocation % 3 === 1) {
        await runCommand(['token', 'revoke', token.tokenId, '--data', data.directory.root]);
      } else {
        const { url } = serving;
        const response = await fetch(`${url}/v1/admin/tokens/${token.tokenId}/revoke`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${data.adminToken}`,
            'content-type': 'application/json',
          },
          body: '{}',
        });
        expect(response.status).toBe(200);
      }
      expect(await connections.ask(token.tokenText)).toEqual(Array(2 * CONNECTIONS).fill(false));
    }
    const workers = linesOf(serving)
      .slice(before)
      .flatMap(({ kind, worker, method }) =>
        kind === 'request_completed' ? [`${worker} ${method}`] : [],
      );
    for (const expected of ['1 POST', '2 POST']) expect(workers).toContain(expected);
  } finally {
    connections.close();
  }
});
