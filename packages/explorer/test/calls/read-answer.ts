import type { Call } from '../../src/calls/call.ts';

export type Service = { readonly url: string; readonly token: string };

/** The rows that the service has for a call, read without the client. */
export async function readAnswer(call: Call, service: Service): Promise<readonly unknown[]> {
  let page = await readPage(call, service);
  const rows = [...rowsIn(page)];
  while (call.request.pageSize === undefined && page.nextPageToken !== '') {
    page = await readPage(call, service, page.nextPageToken);
    rows.push(...rowsIn(page));
  }
  return rows;
}

/** A page of the answer. */
export async function readPage(
  { operation, request }: Call,
  { url, token }: Service,
  pageToken = request.pageToken ?? '',
): Promise<Page & { readonly nextPageToken: string }> {
  const path =
    operation === 'listRecords'
      ? '/v3/catalog/listRecords'
      : `/v1/catalogs/${request.catalogId}/metrics/${request.metricId}/values:search`;
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ billingContext: 'demo', ...request, pageToken }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return await answer.json();
}

type Page = {
  readonly records?: readonly { readonly fields: unknown }[];
  readonly valuesList?: readonly unknown[];
  readonly values?: readonly unknown[];
};

/** The rows of a page of HTTP or of protobuf, where an empty list is left out. */
export function rowsIn(page: Page): readonly unknown[] {
  return page.records?.map(({ fields }) => fields) ?? page.valuesList ?? page.values ?? [];
}
