import type { Call } from '../../src/calls/call.ts';

/** The rows that the service has for a call, read without the client. */
export async function readAnswer(
  { operation, request }: Call,
  { url, token }: { readonly url: string; readonly token: string },
): Promise<readonly unknown[]> {
  const path =
    operation === 'listRecords'
      ? '/v3/catalog/listRecords'
      : `/v1/catalogs/${request.catalogId}/metrics/${request.metricId}/values:search`;
  const rows: unknown[] = [];
  let pageToken = '';
  do {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ billingContext: 'demo', pageSize: 1000, ...request, pageToken }),
    });
    const page = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(page));
    rows.push(...rowsIn(page));
    pageToken = request.pageSize === undefined ? page.nextPageToken : '';
  } while (pageToken !== '');
  return rows;
}

/** The rows of a page of HTTP or of protobuf, where an empty list is left out. */
export function rowsIn(page: {
  readonly records?: readonly { readonly fields: unknown }[];
  readonly valuesList?: readonly unknown[];
  readonly values?: readonly unknown[];
}): readonly unknown[] {
  return page.records?.map(({ fields }) => fields) ?? page.valuesList ?? page.values ?? [];
}
