import { randomUUID, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CertificateFiles, readCertificate } from './read-certificate.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const VALID_DAYS = 730;
/** A certificate with fewer days left is replaced. */
const DAYS_LEFT_MIN = 30;
/** For clients whose clock is slow. */
const BACKDATED_DAYS = 1;

export type SelfSignedFiles = CertificateFiles & {
  /** The certificate of the authority, for clients to trust. */
  readonly authorityFile: string;
};

/**
 * Keeps a certificate for this machine in a folder, and makes a new one unless it is valid for another 30 days.
 * The folder is renamed into place as a whole, so that its files always belong together, even if two services
 * start at once.
 */
export async function keepSelfSigned(place: {
  readonly folder: string;
  /** A folder on the same file system, for unfinished files. */
  readonly temporary: string;
}): Promise<SelfSignedFiles> {
  const { folder, temporary } = place;
  const files = filesIn(folder);
  if (isUsable(files)) return files;
  const draft = join(temporary, `tls-${randomUUID()}`);
  const old = `${draft}-old`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    await writeNew(filesIn(draft));
    while (!(await takePlace(draft, folder))) {
      // Another start was faster, or the existing one expires soon.
      if (isUsable(files)) break;
      await moveAway(folder, old);
    }
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(old, { recursive: true, force: true });
  }
  return files;
}

function filesIn(folder: string): SelfSignedFiles {
  return {
    authorityFile: join(folder, 'ca.pem'),
    certificateFile: join(folder, 'server.pem'),
    keyFile: join(folder, 'server.key'),
  };
}

function isUsable(files: SelfSignedFiles): boolean {
  if (!existsSync(files.certificateFile)) return false;
  try {
    const certificate = new X509Certificate(readCertificate(files).certificate);
    const authority = new X509Certificate(readFileSync(files.authorityFile));
    const msLeft = certificate.validToDate.getTime() - Date.now();
    return certificate.verify(authority.publicKey) && msLeft > DAYS_LEFT_MIN * DAY_MS;
  } catch {
    return false;
  }
}

async function writeNew({
  authorityFile,
  certificateFile,
  keyFile,
}: SelfSignedFiles): Promise<void> {
  // Loaded only here: a service with a certificate starts without the library.
  const { issueCertificates } = await import('./issue-certificates.ts');
  const now = Date.now();
  const { authority, certificate, key } = await issueCertificates({
    notBefore: new Date(now - BACKDATED_DAYS * DAY_MS),
    notAfter: new Date(now + VALID_DAYS * DAY_MS),
  });
  await writeFile(authorityFile, authority);
  await writeFile(certificateFile, certificate);
  await writeFile(keyFile, key, { mode: 0o600 });
}

/** Renames a folder, unless a folder that is not empty has the name. */
async function takePlace(draft: string, folder: string): Promise<boolean> {
  try {
    await rename(draft, folder);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function moveAway(folder: string, old: string): Promise<void> {
  await rm(old, { recursive: true, force: true });
  try {
    await rename(folder, old);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
