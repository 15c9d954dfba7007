import { userInfo } from 'node:os';
import type { Caller } from '../domain/caller.ts';

/** Who changes the control store, as the audit log names them. */
export type Actor =
  | { readonly kind: 'token'; readonly tokenId: string; readonly organisationId: string }
  | { readonly kind: 'command line'; readonly user: string }
  /** A newer version of locmetrics, which brings the store to its schema. */
  | { readonly kind: 'upgrade' };

export function actorOf({ tokenId, organisationId }: Caller): Actor {
  return { kind: 'token', tokenId, organisationId };
}

/** The user of the system that runs this process. */
export function commandLineActor(): Actor {
  return { kind: 'command line', user: systemUser() };
}

/** A container can run as a number that no file gives a name to. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
