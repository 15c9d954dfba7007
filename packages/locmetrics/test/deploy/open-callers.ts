import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { type GrpcTestClient, openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { until } from '../support/until.ts';
import type { RunningNginx } from './start-nginx.ts';

/** The callers of each kind. */
const CALLERS = 4;

type Answer = { readonly status: number; readonly text: string };

/** Sends a request over TLS; with a body it is a POST. */
export function ask(
  url: string,
  options: {
    readonly ca: Buffer;
    readonly agent?: Agent;
    readonly headers?: Record<string, string>;
  },
  body?: object,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const asked = request(url, { method, ...options }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Callers that ask without a pause, over connections that stay open, until they are stopped. */
export function openCallers(
  { url, grpcAddress }: Pick<RunningNginx, 'url' | 'grpcAddress'>,
  {
    token,
    organisationId,
    certificates,
  }: {
    readonly token: string;
    readonly organisationId: string;
    /** The folder with the certificate of nginx. */
    readonly certificates: string;
  },
) {
  const ca = readFileSync(join(certificates, 'public.pem'));
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const over = { ca, agent, headers };
  const values = `${url}/v1/catalogs/shop/metrics/customers/values?billingContext=${organisationId}`;
  const clients: GrpcTestClient[] = [];
  const questions: Readonly<Record<string, () => () => Promise<void>>> = {
    GET: () => async () => expectAnswer(await ask(values, over)),
    POST: () => async () =>
      expectAnswer(
        await ask(`${url}/v3/catalog/listRecords`, over, { dataReferenceName: 'shop.codes' }),
      ),
    gRPC: () => {
      const client = openGrpcClient(grpcAddress, { token, channel: credentials.createSsl(ca) });
      clients.push(client);
      return async () => {
        const { message } = await client.ask(catalogV3.CatalogQuery.method.listRecords, {
          dataReferenceName: 'shop.codes',
        });
        if (message.totalSize !== 2n) throw new Error(`${message.totalSize} records`);
      };
    },
  };
  const answered: Record<string, number> = {};
  const failures: string[] = [];
  let isStopped = false;
  const call = async (name: string, question: () => Promise<void>): Promise<void> => {
    while (!isStopped) {
      try {
        await question();
        answered[name] = (answered[name] ?? 0) + 1;
      } catch (error) {
        failures.push(`${name}: ${error}`);
      }
    }
  };
  const calling = Object.entries(questions).flatMap(([name, open]) =>
    Array.from({ length: CALLERS }, () => call(name, open())),
  );
  const count = () => Object.values(answered).reduce((sum, one) => sum + one, 0);
  return {
    /** Waits for this many more answers. */
    untilAnswered: async (more: number): Promise<void> => {
      const enough = count() + more;
      await until(() => count() >= enough);
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(calling);
      agent.destroy();
      for (const client of clients) client.close();
      return { answered, failures };
    },
  };
}

function expectAnswer({ status, text }: Answer): void {
  if (status !== 200) throw new Error(`${status} ${text}`);
}
