import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { certificateExpiryMs } from '@locmetrics/server/edge/listening/tls/certificate-expiry';
import { issueCertificates } from '@locmetrics/server/edge/listening/tls/issue-certificates';
import {
  keepSelfSigned,
  type SelfSignedFiles,
} from '@locmetrics/server/edge/listening/tls/keep-self-signed';
import { readCertificate } from '@locmetrics/server/edge/listening/tls/read-certificate';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let root = '';
beforeAll(async () => {
  root = temporaryFolder();
});

const keepIn = (name: string): Promise<SelfSignedFiles> =>
  keepSelfSigned({ folder: join(root, name, 'tls'), temporary: join(root, name, 'tmp') });

test('a missing certificate is created, only its owner can read it, and no other file is left', async () => {
  const files = await keepIn('new');
  expect((await readdir(join(root, 'new'), { recursive: true })).toSorted()).toEqual([
    'tls',
    'tls/ca.pem',
    'tls/server.key',
    'tls/server.pem',
    'tmp',
  ]);
  expect((await stat(files.keyFile)).mode & 0o777).toBe(0o600);
  const { validFromDate, validToDate } = new X509Certificate(await readFile(files.certificateFile));
  expect(validFromDate.getTime()).toBeLessThan(Date.now());
  expect(Math.round((validToDate.getTime() - Date.now()) / DAY_MS)).toBe(730);
});

test('the expiry is reported, for the metrics', async () => {
  const files = await keepIn('expiry');
  const pair = readCertificate(files);
  const source = { current: () => pair, onChange: () => {} };
  const { validToDate } = new X509Certificate(await readFile(files.certificateFile));
  expect(certificateExpiryMs(source)).toBe(validToDate.getTime());
});

test('the next start keeps the certificate', async () => {
  const first = await readFile((await keepIn('kept')).certificateFile, 'utf8');
  expect(await readFile((await keepIn('kept')).certificateFile, 'utf8')).toBe(first);
});

test.each<[string, (files: SelfSignedFiles) => Promise<void>]>([
  ['fewer than 30 days are left', (files) => putAside(files, 29)],
  ['it has expired', (files) => putAside(files, -1)],
  ['a file is gone', (files) => rm(files.authorityFile)],
  ['a file is damaged', (files) => writeFile(files.keyFile, 'nothing')],
  [
    'the authority is that of another',
    async (files) => writeFile(files.authorityFile, (await issue(90)).authority),
  ],
])('a new certificate is created if %s', async (name, spoil) => {
  const files = await keepIn(name);
  await spoil(files);
  await keepIn(name);
  await expectWorking(files);
  expect(await readdir(join(root, name, 'tmp'))).toEqual([]);
});

test('a certificate with 31 days left is kept', async () => {
  const files = await keepIn('31 days');
  await putAside(files, 31);
  const before = await readFile(files.certificateFile, 'utf8');
  await keepIn('31 days');
  expect(await readFile(files.certificateFile, 'utf8')).toBe(before);
});

test('simultaneous starts use one certificate', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => keepIn('at once')));
  for (const files of all) await expectWorking(files);
  expect(await readdir(join(root, 'at once', 'tmp'))).toEqual([]);
});

test('simultaneous starts with a damaged certificate leave a complete one', async () => {
  const files = await keepIn('spoiled at once');
  await writeFile(files.keyFile, 'nothing');
  await Promise.all(Array.from({ length: 5 }, () => keepIn('spoiled at once')));
  await expectWorking(files);
});

test('for a folder that is not writable, the error is that of the system', async () => {
  if (process.getuid?.() === 0) return;
  await mkdir(join(root, 'closed'));
  await chmod(join(root, 'closed'), 0o500);
  await expect(keepIn('closed')).rejects.toThrow('EACCES');
});

test('OpenSSL accepts the certificate with its strict checks', async ({ skip }) => {
  const openssl = ['/usr/bin/openssl', '/usr/local/bin/openssl'].find((path) => existsSync(path));
  if (openssl === undefined) skip('There is no openssl on this machine.');
  const { authorityFile, certificateFile } = await keepIn('openssl');
  const { stdout } = await promisify(execFile)(openssl ?? '', [
    ...['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_ip', '127.0.0.1'],
    ...['-CAfile', authorityFile, certificateFile],
  ]);
  expect(stdout).toBe(`${certificateFile}: OK\n`);
});

async function expectWorking(files: SelfSignedFiles): Promise<void> {
  const certificate = new X509Certificate(readCertificate(files).certificate);
  const authority = new X509Certificate(await readFile(files.authorityFile));
  expect(certificate.verify(authority.publicKey)).toBe(true);
  expect(certificate.validToDate.getTime()).toBeGreaterThan(Date.now() + 700 * DAY_MS);
}

function issue(daysLeft: number) {
  return issueCertificates({
    notBefore: new Date(Date.now() - 100 * DAY_MS),
    notAfter: new Date(Date.now() + daysLeft * DAY_MS),
  });
}

/** Puts a certificate with this number of days left into the folder. */
async function putAside(files: SelfSignedFiles, daysLeft: number): Promise<void> {
  const { authority, certificate, key } = await issue(daysLeft);
  await writeFile(files.authorityFile, authority);
  await writeFile(files.certificateFile, certificate);
  await writeFile(files.keyFile, key);
}
