import { get } from 'node:https';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { openCertificateSource } from '@locmetrics/server/edge/listening/tls/certificate-source';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOPS } from '../shops.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { handshake as handshakeAt } from './tls-handshake.ts';

const issue = () =>
  issueCertificates({
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });

let data: TestData;
let server: TestServer;
let authority: string;
let certificate: ReturnType<typeof openCertificateSource>;

beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  const issued = await issue();
  authority = issued.authority;
  certificate = openCertificateSource(issued);
  server = await openTestServer(data, { certificate });
});

afterAll(async () => {
  await server.close();
  await data.remove();
});

/** Sends a request over TLS. Returns the status and the body. */
function ask(path: string, trusted = authority): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      ca: trusted,
      servername: 'localhost',
      agent: false,
      headers: { authorization: `Bearer ${data.token}` },
    } as const;
    get(`${server.httpsUrl}${path}`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    }).once('error', reject);
  });
}

const handshake = (options: ConnectionOptions): Promise<TLSSocket> =>
  handshakeAt(new URL(server.httpsUrl).host, { ca: authority, ...options });

test('HTTP over TLS has the same answers as HTTP in plaintext', async () => {
  const path = '/v1/catalogs/shop/metrics/customers/values?billingContext=acme';
  const plain = await server.send(path);
  expect(plain.status).toBe(200);
  expect(await ask(path)).toEqual({ status: 200, text: plain.text });
});

test('ALPN negotiates HTTP/1.1, in TLS 1.3 or 1.2, not in older versions', async () => {
  expect((await handshake({ ALPNProtocols: ['h2', 'http/1.1'] })).alpnProtocol).toBe('http/1.1');
  expect((await handshake({ maxVersion: 'TLSv1.2' })).authorized).toBe(true);
  const old = {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT@SECLEVEL=0',
  } as const;
  await expect(handshake(old)).rejects.toThrow('protocol version');
});

test('a client that does not trust the certificate cannot connect', async () => {
  await expect(ask('/livez', (await issue()).authority)).rejects.toThrow('unable to verify');
});

test('a changed certificate serves new connections', async () => {
  const issued = await issue();
  certificate.change(issued);
  await expect(ask('/livez')).rejects.toThrow('unable to verify');
  expect((await ask('/livez', issued.authority)).status).toBe(200);
  authority = issued.authority;
});

test('plaintext on the TLS port ends only its own connection', async () => {
  const url = server.httpsUrl.replace('https', 'http');
  await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed');
  expect((await ask('/livez')).status).toBe(200);
});
