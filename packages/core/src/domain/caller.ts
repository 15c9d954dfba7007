import type { Rights } from './rights.ts';
import type { Scope } from './scope.ts';

/** The caller of a request, as its token proves. */
export type Caller = {
  /** The organisation that the token was issued to; also its billing context. */
  readonly organisationId: string;
  /** The public id of the token, for logs and usage records. It is not a secret. */
  readonly tokenId: string;
  /** The scopes of the token. */
  readonly scopes: readonly Scope[];
  /** The grants and limits of its organisation. */
  readonly rights: Rights;
};
