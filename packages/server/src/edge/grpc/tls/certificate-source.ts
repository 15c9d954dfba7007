/** A certificate chain and its private key, as PEM text. */
export type CertificatePair = { readonly certificate: string; readonly key: string };

/** Where the certificate of a listener comes from. */
export type CertificateSource = {
  readonly current: () => CertificatePair;
  /** Calls the listener with each pair that takes the place of the one before. */
  readonly onChange: (listener: (pair: CertificatePair) => void) => void;
};
