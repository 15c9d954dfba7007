import { X509Certificate } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect as connectPlain } from 'node:net';
import { join } from 'node:path';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import {
  type WatchedCertificate,
  watchCertificate,
} from '@locmetrics/server/edge/listening/tls/watch-certificate';
import type { Observation } from '@locmetrics/server/observe/observation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { delay } from '../../support/delay.ts';
import { SHOPS } from '../shops.ts';
import { createTestData, type TestData } from '../test-data.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { handshake as handshakeAt } from '../transport/tls-handshake.ts';
import { type GrpcTestClient, openGrpcClient } from './grpc-client.ts';

const { listRecords } = catalogV3.CatalogQuery.method;
const CODES = { dataReferenceName: 'shop.codes' };
const observations: Observation[] = [];
const READ_EVERY_MS = 50;

let data: TestData;
let files: { readonly certificateFile: string; readonly keyFile: string };
let authority: string;
let certificate: WatchedCertificate;
let server: TestServer;
let client: GrpcTestClient;

beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  const folder = await data.folder('certificates');
  files = { certificateFile: join(folder, 'chain.pem'), keyFile: join(folder, 'key.pem') };
  authority = await replaceCertificate();
  certificate = watchCertificate(files, {
    observe: (observation) => observations.push(observation),
    everyMs: READ_EVERY_MS,
  });
  server = await openTestServer(data, { certificate });
  client = openTrusting(authority);
});

afterAll(async () => {
  client.close();
  certificate.close();
  await server.close();
  await data.remove();
});

/** Replaces the certificate and its key with new ones. Returns the authority to trust. */
async function replaceCertificate(): Promise<string> {
  const issued = await issue();
  await writeFile(files.certificateFile, issued.certificate);
  await writeFile(files.keyFile, issued.key);
  return issued.authority;
}

function issue(notAfter = new Date(Date.now() + 3_600_000)) {
  return issueCertificates({ notBefore: new Date(Date.now() - 7_200_000), notAfter });
}

function openTrusting(trusted: string): GrpcTestClient {
  const channel = credentials.createSsl(Buffer.from(trusted));
  // Without a server name, Node warns that the name is an address.
  const options = { 'grpc.ssl_target_name_override': 'localhost' };
  return openGrpcClient(server.grpcTlsAddress, { token: data.token, channel, options });
}

const handshake = (options: ConnectionOptions = {}): Promise<TLSSocket> =>
  handshakeAt(server.grpcTlsAddress, { ca: authority, ALPNProtocols: ['h2'], ...options });

test('a client that trusts the authority gets an answer', async () => {
  expect((await client.ask(listRecords, CODES)).message.totalSize).toBe(2n);
});

test('a client that does not trust it cannot connect', async () => {
  const stranger = openTrusting((await issue()).authority);
  expect(await stranger.refusal(listRecords, CODES)).toMatchObject({ code: 'UNAVAILABLE' });
  stranger.close();
});

test('ALPN negotiates HTTP/2, in TLS 1.3 or 1.2', async () => {
  const socket = await handshake();
  expect([socket.alpnProtocol, socket.authorized]).toEqual(['h2', true]);
  expect((await handshake({ maxVersion: 'TLSv1.2' })).alpnProtocol).toBe('h2');
});

test('the certificate is valid for localhost too', async () => {
  expect((await handshake({ servername: 'localhost' })).authorized).toBe(true);
  await expect(handshake({ servername: 'example.com' })).rejects.toThrow('altnames');
});

test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async (version) => {
  const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
  await expect(handshake(old)).rejects.toMatchObject({
    code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  });
});

test('a protocol that is not HTTP/2 is refused', async () => {
  await expect(handshake({ ALPNProtocols: ['http/1.1'] })).rejects.toMatchObject({
    code: 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL',
  });
});

test('a new certificate serves new connections, and open connections stay', async () => {
  const before = observations.length;
  const newAuthority = await replaceCertificate();
  await expect.poll(() => observations.slice(before).at(-1)?.kind).toBe('certificate_reloaded');

  expect((await client.ask(listRecords, CODES)).message.totalSize).toBe(2n);
  await expect(handshake()).rejects.toThrow('unable to verify');
  expect((await handshake({ ca: newAuthority })).authorized).toBe(true);
  const fresh = openTrusting(newAuthority);
  expect((await fresh.ask(listRecords, CODES)).message.totalSize).toBe(2n);
  fresh.close();
  authority = newAuthority;
});

test.each<[string, () => Promise<void>]>([
  ['half a certificate', () => changeFile('certificateFile', (text) => text.slice(0, 200))],
  ['no certificate', () => changeFile('certificateFile', () => '')],
  ['a file that is gone', () => rm(files.certificateFile)],
  ['the key of another certificate', async () => writeFile(files.keyFile, (await issue()).key)],
  ['half a key', () => changeFile('keyFile', (text) => text.slice(0, 100))],
  [
    'an expired certificate',
    async () => {
      const { certificate: expired, key } = await issue(new Date(Date.now() - 3_600_000));
      await writeFile(files.certificateFile, expired);
      await writeFile(files.keyFile, key);
    },
  ],
])('with %s the previous certificate stays, and the failure is observed', async (_, breakIt) => {
  const before = observations.length;
  await breakIt();
  await expect.poll(() => observations.slice(before).at(-1)?.kind).toBe('certificate_refused');
  expect((await handshake()).authorized).toBe(true);

  authority = await replaceCertificate();
  await expect.poll(() => observations.slice(before).at(-1)?.kind).toBe('certificate_reloaded');
  expect((await handshake()).authorized).toBe(true);
});

test('a lasting failure is reported once', async () => {
  const before = observations.length;
  await changeFile('certificateFile', () => 'nothing');
  await expect.poll(() => observations.length).toBeGreaterThan(before);
  await delay(4 * READ_EVERY_MS);
  expect(observations.slice(before).map(({ kind }) => kind)).toEqual(['certificate_refused']);
  authority = await replaceCertificate();
  await expect.poll(() => observations.at(-1)?.kind).toBe('certificate_reloaded');
});

test('silent connections do not keep a stopping server running', async () => {
  // The end of the handshakes would close them too.
  const grpcLimits = { handshakeTimeoutMs: 3_600_000 };
  const other = await openTestServer(data, { certificate, grpcLimits });
  const [host, port] = other.grpcTlsAddress.split(':');
  const silent = connectPlain({ host: host ?? '', port: Number(port) });
  await new Promise((resolve) => silent.once('connect', resolve));
  const closed = new Promise((resolve) => silent.once('close', resolve));
  await other.close();
  await closed;
});

async function changeFile(
  which: 'certificateFile' | 'keyFile',
  change: (text: string) => string,
): Promise<void> {
  await writeFile(files[which], change(await readFile(files[which], 'utf8')));
}

test('the certificates have all that strict clients require', async () => {
  const issued = await issue();
  const own = new X509Certificate(issued.certificate);
  const authorityCertificate = new X509Certificate(issued.authority);
  expect(own.checkIssued(authorityCertificate)).toBe(true);
  expect(own.verify(authorityCertificate.publicKey)).toBe(true);
  expect([authorityCertificate.ca, own.ca]).toEqual([true, false]);
  expect(own.subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  );
});
