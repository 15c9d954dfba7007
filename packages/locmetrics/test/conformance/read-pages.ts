import { strict as assert } from 'node:assert';

/** All pages from the first one to the one without a token. */
export async function readPages<
  Question extends { readonly pageToken?: string },
  Page extends { readonly nextPageToken: string },
>(question: Question, read: (question: Question) => Promise<Page>): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let pageToken = question.pageToken ?? '';
  do {
    const page = await read({ ...question, pageToken });
    pages.push(page);
    assert(page.nextPageToken !== pageToken || pageToken === '', 'The pages do not go on.');
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
  return pages;
}
