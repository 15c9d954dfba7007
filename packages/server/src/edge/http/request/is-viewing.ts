import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request says that its caller looks at data; see `metering/viewing.ts`. */
export function isViewing(headers: IncomingHttpHeaders): boolean {
  return headers['locmetrics-purpose'] === 'view';
}
