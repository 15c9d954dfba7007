import { SERVICE_URL } from '../session/session.ts';
import type { Call } from './call.ts';

/** The call as a command of curl. The token is that of the variable LOCMETRICS_TOKEN. */
export function toCurl({ operation, request }: Call): string {
  const path =
    operation === 'listRecords'
      ? '/v3/catalog/listRecords'
      : `/v1/catalogs/${encodeURIComponent(request.catalogId)}/metrics/${encodeURIComponent(request.metricId)}/values`;
  return [
    `curl -s ${quoteForShell(`${SERVICE_URL}${path}`)}`,
    `-H "Authorization: Bearer $LOCMETRICS_TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoteForShell(JSON.stringify(request))}`,
  ].join(' \\\n  ');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
