import { readFile, writeFile } from 'node:fs/promises';
import { credentials } from '@grpc/grpc-js';
import { catalogV3 } from '@locmetrics/contract/grpc';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../commands/run-command.ts';
import { type Service, startService } from '../commands/start-service.ts';
import { openGrpcClient } from '../edge/grpc/grpc-client.ts';
import { SHOPS } from '../edge/shops.ts';
import { createTestData, type TestData } from '../edge/test-data.ts';
import { useTemporaryFolder } from '../support/use-temporary-folder.ts';

const inFolder = useTemporaryFolder();
const { listRecords } = catalogV3.CatalogQuery.method;
const CODES = { dataReferenceName: 'shop.codes' };

let data: TestData;
beforeAll(async () => {
  data = await createTestData();
  await data.publishFiles(SHOPS);
  const issued = await issueCertificates({
    notBefore: new Date(Date.now() - 1000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  await writeFile(inFolder('chain.pem'), issued.certificate);
  await writeFile(inFolder('key.pem'), issued.key);
  await writeFile(inFolder('ca.pem'), issued.authority);
});
afterAll(async () => {
  await data.remove();
});

const common = () => ['--http', '127.0.0.1:0', '--data', data.directory.root];

const serve = (...flags: readonly string[]): Promise<Service> =>
  startService(data.directory.root, flags);

test('gRPC is served in plaintext if that is set, and only in plaintext if TLS is off', {
  tags: 'slow',
}, async () => {
  const running = await serve('--grpc-plaintext', '127.0.0.1:0');
  const client = openGrpcClient(running.addressOf('grpc'), { token: data.token });
  expect((await client.ask(listRecords, CODES)).message.totalSize).toBe(2n);
  expect(running.written().messages).not.toContain('grpcs://');
  client.close();
  running.kill('SIGTERM');
  expect((await running.ended).code).toBe(0);
});

test('an open connection does not keep the process running', { tags: 'slow' }, async () => {
  const running = await serve('--grpc-plaintext', '127.0.0.1:0');
  const client = openGrpcClient(running.addressOf('grpc'), { token: data.token });
  await client.ask(listRecords, CODES);
  running.kill('SIGTERM');
  // A worker that the drain timeout ends makes it 1.
  expect((await running.ended).code).toBe(0);
  client.close();
});

test('a configured certificate is served', { tags: 'slow' }, async () => {
  const running = await serve(
    ...['--grpc', '127.0.0.1:0', '--tls-certificate', inFolder('chain.pem')],
    ...['--tls-key', inFolder('key.pem')],
  );
  const client = openGrpcClient(running.addressOf('grpcs'), {
    token: data.token,
    channel: credentials.createSsl(await readFile(inFolder('ca.pem'))),
    options: { 'grpc.ssl_target_name_override': 'localhost' },
  });
  expect((await client.ask(listRecords, CODES)).message.totalSize).toBe(2n);
  client.close();
});

test('gRPC in plaintext on a non-loopback address causes a warning', { tags: 'slow' }, async () => {
  const running = await serve('--grpc-plaintext', '0.0.0.0:0', '--allow-plaintext');
  await running.untilItWrites('server_exposed');
  expect(running.written().messages).toContain('"host":"0.0.0.0"');
});

test.each<[string, readonly string[], string]>([
  [
    'an address that is none',
    ['--grpc', 'localhost'],
    "--grpc: 'localhost' has no port. Write an address with its port, such as 127.0.0.1:8080 or [::1]:8080, or off.\nFor all settings, run: locmetrics serve --help\n",
  ],
  [
    'gRPC beyond this machine without a certificate',
    ['--grpc', '0.0.0.0:8443'],
    '--grpc listens on 0.0.0.0:8443, but the generated certificate is only valid for localhost.\nGive a certificate with --tls-certificate FILE and --tls-key FILE, or listen on 127.0.0.1.\n',
  ],
  [
    'a certificate without its key',
    ['--tls-certificate', 'chain.pem'],
    'There is a certificate for TLS, but --tls-key is not given.\nGive both --tls-certificate and --tls-key, or neither.\n',
  ],
  [
    'a key without its certificate',
    ['--tls-key', 'key.pem'],
    'There is a key for TLS, but --tls-certificate is not given.\nGive both --tls-certificate and --tls-key, or neither.\n',
  ],
  [
    'a missing certificate',
    ['--tls-certificate', 'missing.pem', '--tls-key', 'key.pem'],
    'There is no file FOLDER/missing.pem.\nName a PEM file with the certificate that the service can read.\n',
  ],
  [
    'a key that does not fit',
    ['--tls-certificate', 'chain.pem', '--tls-key', 'other-key.pem'],
    'The key FOLDER/other-key.pem does not match the certificate FOLDER/chain.pem.\nGive the key of the first certificate in the file.\n',
  ],
  [
    'the two files exchanged',
    ['--tls-certificate', 'key.pem', '--tls-key', 'chain.pem'],
    'FOLDER/key.pem is not a certificate in PEM.\nIt starts with the line -----BEGIN CERTIFICATE-----, and the certificate of the server is first.\n',
  ],
  [
    'a certificate as its own key',
    ['--tls-certificate', 'chain.pem', '--tls-key', 'chain.pem'],
    'FOLDER/chain.pem is not a private key in PEM without a passphrase.\nIt starts with the line -----BEGIN PRIVATE KEY-----, or with the kind of key before PRIVATE KEY.\n',
  ],
])('%s is wrong usage', { tags: 'slow' }, async (_, flags, said) => {
  const other = await issueCertificates({ notBefore: new Date(), notAfter: new Date(2100, 0) });
  await writeFile(inFolder('other-key.pem'), other.key);
  const { code, messages } = await runCommand(['serve', ...common(), ...flags], {
    directory: inFolder(''),
  });
  expect([code, messages.replaceAll(inFolder('').replace(/\/$/, ''), 'FOLDER')]).toEqual([2, said]);
});
