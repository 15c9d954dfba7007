import { Agent, request } from 'node:http';
import { credentials } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GrpcTestClient, openGrpcClient } from '../edge/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, ORGANISATION_ID, type TestData } from '../edge/test-data.ts';
import { linesOf, type RunningCommand, runCommand, useCommands } from './run-command.ts';

const start = useCommands();
const CONNECTIONS = 4;

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
});
afterAll(async () => {
  await data.remove();
});

/** Connections that stay open, over both edges and to both workers. */
type Connections = {
  /** Whether the next request on each connection is answered. */
  readonly ask: (token: string) => Promise<readonly boolean[]>;
  readonly close: () => void;
};

function openConnections(running: RunningCommand): Connections {
  const { messages } = running.written();
  const [, http = ''] = /"url":"(http:[^"]+)"/.exec(messages) ?? [];
  const [, grpc = ''] = /"grpc:\/\/([^"]+)"/.exec(messages) ?? [];
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
    ask: (token) =>
      Promise.all([
        ...agents.map((agent) =>
          isAnsweredOverHttp(`${http}/v3/catalog/listDataReferences`, agent, token),
        ),
        ...clients.map((client) => isAnsweredOverGrpc(client, token)),
      ]),
    close: () => {
      for (const agent of agents) agent.destroy();
      for (const client of clients) client.close();
    },
  };
}

function isAnsweredOverHttp(url: string, agent: Agent, token: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    })
      .on('error', reject)
      .end(JSON.stringify({ billingContext: ORGANISATION_ID }));
  });
}

async function isAnsweredOverGrpc(client: GrpcTestClient, token: string): Promise<boolean> {
  const { listDataReferences } = catalogV3.CatalogQuery.method;
  const asked = { billingContext: ORGANISATION_ID };
  const options = { metadata: { authorization: `Bearer ${token}` } };
  return client.ask(listDataReferences, asked, options).then(
    () => true,
    () => false,
  );
}

test('a revocation holds for the next request on every worker and edge', async () => {
  const running = start([
    'serve',
    ...['--http', '127.0.0.1:0', '--grpc', 'off', '--grpc-plaintext', '127.0.0.1:0'],
    ...['--data', data.directory.root, '--workers', '2'],
  ]);
  await running.untilItWrites('"grpc://');
  const connections = openConnections(running);
  try {
    for (let revocation = 0; revocation < 6; revocation += 1) {
      const token = data.store.createToken({ organisationId: ORGANISATION_ID, name: 'x' });
      expect(await connections.ask(token.tokenText)).toEqual(Array(2 * CONNECTIONS).fill(true));
      if (revocation % 3 === 0) data.store.revokeToken(token.tokenId);
      else if (revocation % 3 === 1) {
        await runCommand(['token', 'revoke', token.tokenId, '--data', data.directory.root]);
      } else {
        const [, url = ''] = /"url":"(http:[^"]+)"/.exec(running.written().messages) ?? [];
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
    const workers = linesOf(running).flatMap(({ kind, worker, method }) =>
      kind === 'request_completed' ? [`${worker} ${method}`] : [],
    );
    for (const expected of ['1 POST', '2 POST']) expect(workers).toContain(expected);
  } finally {
    connections.close();
  }
});
