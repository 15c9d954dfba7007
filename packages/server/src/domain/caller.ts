/** Who makes a request: what a token proves. */
export type Caller = {
  /** The organisation that the token was issued to; also its billing context. */
  readonly organisationId: string;
  /** The public id of the token, for logs and usage records. It is not a secret. */
  readonly tokenId: string;
  /**
   * A text that is the same exactly as long as the caller's rights are the same. Page tokens are
   * bound to it, so that pages never go on under other rights than they began with.
   *
   * Today every token of an organisation may read the same, so it is derived from the organisation
   * alone: a page begun with one token can go on with its successor. Grants (datasets, row filters,
   * field lists) will join it, as a digest, once they exist.
   */
  readonly rightsFingerprint: string;
};

export function createCaller(identity: {
  readonly organisationId: string;
  readonly tokenId: string;
}): Caller {
  return {
    organisationId: identity.organisationId,
    tokenId: identity.tokenId,
    rightsFingerprint: `organisation:${identity.organisationId}`,
  };
}
