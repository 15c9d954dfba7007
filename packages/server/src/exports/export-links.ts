import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ControlStore } from '../auth/control-store.ts';

/** The name of the secret that signs links. Another secret ends all of them. */
export const LINK_SECRET = 'export-link';

/** The key as it is now: a link needs no token, so nothing else asks the store whether it has changed. */
export function readLinkKey(store: Pick<ControlStore, 'pollCallers' | 'secret'>): Uint8Array {
  store.pollCallers();
  return store.secret(LINK_SECRET);
}

/** What a link to a file of an export grants: anybody who has it may get the file until it expires. */
export type ExportLink = {
  readonly exportId: string;
  readonly file: string;
  /** In s since 1970. */
  readonly expires: number;
};

/** The path and query of a link, signed with HMAC-SHA-256. */
export function signLink(link: ExportLink, key: Uint8Array): string {
  const { exportId, file, expires } = link;
  const signature = signatureOf(link, key).toString('base64url');
  return `/v1/exports/${exportId}/${file}?expires=${expires}&signature=${signature}`;
}

export function isSigned(link: ExportLink, signature: string, key: Uint8Array): boolean {
  const given = Buffer.from(signature, 'base64url');
  const expected = signatureOf(link, key);
  // The text, too: base64url has several texts for the same bytes.
  return (
    given.length === expected.length &&
    timingSafeEqual(given, expected) &&
    given.toString('base64url') === signature
  );
}

function signatureOf({ exportId, file, expires }: ExportLink, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`export\n${exportId}\n${file}\n${expires}`).digest();
}
