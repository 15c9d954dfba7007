/** A certificate chain and its private key, as PEM text. */
export type CertificatePair = { readonly certificate: string; readonly key: string };

/** The source of a listener's certificate. */
export type CertificateSource = {
  readonly current: () => CertificatePair;
  /** Calls the listener with each pair that replaces the current one. */
  readonly onChange: (listener: (pair: CertificatePair) => void) => void;
};

/** A certificate that another part replaces. */
export function openCertificateSource(
  first: CertificatePair,
): CertificateSource & { readonly change: (pair: CertificatePair) => void } {
  const listeners: ((pair: CertificatePair) => void)[] = [];
  let current = first;
  return {
    current: () => current,
    onChange: (listener) => listeners.push(listener),
    change: (pair) => {
      current = pair;
      for (const listener of listeners) listener(pair);
    },
  };
}
