import { userInfo } from 'node:os';
import type { Caller } from '@locmetrics/core/domain/caller';

/** The author of a change of the control store, as recorded in the audit log. */
export type Actor =
  | { readonly kind: 'token'; readonly tokenId: string; readonly organisationId: string }
  | { readonly kind: 'command line'; readonly user: string }
  /** The person who uses a one-time link; the link says who made it. */
  | { readonly kind: 'sign-in link'; readonly linkId: string }
  /** A newer version of locmetrics that migrates the store to its schema. */
  | { readonly kind: 'upgrade' };

export function actorOf({ tokenId, organisationId }: Caller): Actor {
  return { kind: 'token', tokenId, organisationId };
}

/** The system user of this process. */
export function commandLineActor(): Actor {
  return { kind: 'command line', user: systemUser() };
}

/** A container can run with a user id that has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
