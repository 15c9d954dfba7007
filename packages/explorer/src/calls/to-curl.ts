import type { Call, CallContext, CallText } from './call.ts';
import { pageRequest } from './page-request.ts';
import { quoteForShell } from './quote.ts';
import { authorizationOption, dataOption, shellCommand } from './shell-command.ts';

/** The call as a command of curl. */
export function toCurl(call: Call, { url, organisationId, token }: CallContext): CallText {
  const { path, body } = write(call, organisationId);
  return {
    text: shellCommand([
      `curl -sS ${quoteForShell(url + path)}`,
      `${authorizationOption('Authorization', token)} -H 'Content-Type: application/json'`,
      dataOption(body),
    ]),
    variables: token === undefined ? ['LOCMETRICS_TOKEN'] : [],
    notes: ['The answer is one page. For the next page, add its nextPageToken as pageToken.'],
  };
}

/** Metric values are asked for by POST, because the address of a GET cannot express every filter. */
function write(call: Call, billingContext: string) {
  const { operation, request } = pageRequest(call);
  if (operation === 'listRecords') return { path: '/v3/catalog/listRecords', body: request };
  const { catalogId, metricId, ...rest } = request;
  const [catalog, metric] = [catalogId, metricId].map(encodeURIComponent);
  return {
    path: `/v1/catalogs/${catalog}/metrics/${metric}/values:search`,
    body: { billingContext, ...rest },
  };
}
