import type { Rights } from './rights.ts';
import type { Scope } from './scope.ts';

/** Who makes a request: what a token proves. */
export type Caller = {
  /** The organisation that the token was issued to; also its billing context. */
  readonly organisationId: string;
  /** The public id of the token, for logs and usage records. It is not a secret. */
  readonly tokenId: string;
  /** What the token may be used for. */
  readonly scopes: readonly Scope[];
  /** What its organisation may see and use. */
  readonly rights: Rights;
};
