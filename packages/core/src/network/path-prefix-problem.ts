/** The problem of a text as the path below which a service is reached, such as `/metrics-data`. */
export function pathPrefixProblem(text: string): string | undefined {
  if (text.length > LENGTH_MAX) return `has more than ${LENGTH_MAX} characters`;
  if (!PATH.test(text)) {
    return 'is not a path such as /metrics-data: parts of letters, digits, -, ., _ and ~, each after a slash';
  }
  return text.split('/').some((part) => part === '.' || part === '..')
    ? 'has a part . or .., which clients remove'
    : undefined;
}

const LENGTH_MAX = 200;
/** The unreserved characters of RFC 3986 § 2.3 need no escaping, in a URL, in HTML or in a header. */
const PATH = /^(?:\/[A-Za-z0-9\-._~]+)+$/;

/** The first parts of the service's own paths. A prefix that starts like this could not be distinguished from a path. */
export const OWN_PATHS: ReadonlySet<string> = new Set([
  'assets',
  'docs',
  'icon.svg',
  'index.html',
  'livez',
  'openapi.json',
  'readyz',
  'v1',
  'v3',
  'v3alpha',
]);
