import type { Call } from '../../src/calls/call.ts';
import { isPaged, pagingOf } from '../../src/calls/extent.ts';
import { httpRequest } from '../../src/calls/http-request.ts';

export type Service = { readonly url: string; readonly token: string };

/** The rows that the service has for a call, read without the client. */
export async function readAnswer(call: Call, service: Service): Promise<readonly unknown[]> {
  let page = await readPage(call, service);
  const rows = [...rowsIn(page)];
  while (
    pagingOf(call).pageSize === undefined &&
    page.nextPageToken !== undefined &&
    page.nextPageToken !== ''
  ) {
    page = await readPage(call, service, page.nextPageToken);
    rows.push(...rowsIn(page));
  }
  return rows;
}

/** A page of the answer. */
export async function readPage(
  call: Call,
  service: Service,
  pageToken = pagingOf(call).pageToken ?? '',
): Promise<Page> {
  const answer = await send(call, service, pageToken);
  if (!answer.ok) throw new Error(await answer.text());
  return await answer.json();
}

/** The hint of a refusal to count records and their totals; undefined for a call that is not refused so. */
export async function readTotalsHint(call: Call, service: Service): Promise<string | undefined> {
  const answer = await send(call, service, '');
  const { reason, detail, hint } = await answer.json();
  return reason === 'NOT_ADDITIVE' && detail.includes('count twice') ? hint : undefined;
}

async function send(call: Call, { url, token }: Service, pageToken: string): Promise<Response> {
  const { path } = httpRequest(call, 'demo');
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      billingContext: 'demo',
      ...call.request,
      ...(isPaged(call) ? { pageToken } : {}),
    }),
  });
}

type Page = {
  readonly nextPageToken?: string;
  readonly records?: readonly { readonly fields: unknown }[];
  readonly valuesList?: readonly unknown[];
  readonly values?: readonly unknown[];
  readonly rowsList?: readonly unknown[];
  readonly rows?: readonly unknown[];
  readonly statistics?: readonly unknown[];
  readonly stats?: readonly unknown[];
};

/** The rows of a page of HTTP or of protobuf, where an empty list is left out. */
export function rowsIn(page: Page): readonly unknown[] {
  return (
    page.records?.map(({ fields }) => fields) ??
    page.valuesList ??
    page.values ??
    page.rowsList ??
    page.rows ??
    page.statistics ??
    page.stats ??
    []
  );
}
