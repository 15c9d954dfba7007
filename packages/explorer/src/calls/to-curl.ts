import type { Call, CallContext, CallText } from './call.ts';
import { isPaged } from './extent.ts';
import { httpRequest } from './http-request.ts';
import { quoteForShell } from './quote.ts';
import { authorizationOption, dataOption, shellCommand } from './shell-command.ts';

/** The call as a command of curl. */
export function toCurl(call: Call, { url, organisationId, token }: CallContext): CallText {
  const { path, body } = httpRequest(call, organisationId);
  return {
    text: shellCommand([
      `curl -sS ${quoteForShell(url + path)}`,
      `${authorizationOption('Authorization', token)} -H 'Content-Type: application/json'`,
      dataOption(body),
    ]),
    variables: token === undefined ? ['LOCMETRICS_TOKEN'] : [],
    notes: isPaged(call)
      ? ['The answer is one page. For the next page, add its nextPageToken as pageToken.']
      : [],
  };
}
