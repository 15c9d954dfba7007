/** The user agent of a client, shortened: it shows operators which release of a library misbehaves. */
export function readUserAgent(given: unknown): string | undefined {
  return typeof given === 'string' && given !== '' ? given.slice(0, LENGTH_MAX) : undefined;
}

const LENGTH_MAX = 200;
