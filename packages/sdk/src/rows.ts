import { TooManyRowsError } from './errors.ts';

/** The rows of all pages of a request. No request is sent until you read the rows. Each new read starts at the first page. */
export type Rows<Row, Page> = AsyncIterable<Row> & {
  /** The answers, one page at a time, as they arrive. */
  readonly pages: () => AsyncIterable<Page>;
  /**
   * All rows as a list. If there are more than `maxRows` (default: 100,000), it throws a `TooManyRowsError` instead of
   * reading further.
   */
  readonly all: (options?: { readonly maxRows?: number }) => Promise<readonly Row[]>;
};

/** Rows that the service can count. */
export type CountedRows<Row, Page> = Rows<Row, Page> & {
  /** The exact number of rows, and how many rows they cost from the limits of the organisation. Counting costs none. */
  readonly count: () => Promise<{ readonly totalSize: number; readonly costRows: number }>;
};

type AnyPage = { readonly nextPageToken: string; readonly totalSize?: number | undefined };

export type PageRequest = { readonly pageSize: number; readonly pageToken?: string };

const PAGE_SIZE = 1_000;
const MAX_ROWS = 100_000;

export function createRows<Row, Page extends AnyPage>({
  fetchPage,
  rowsOf,
  pageSize = PAGE_SIZE,
}: {
  readonly fetchPage: (page: PageRequest) => Promise<Page>;
  readonly rowsOf: (page: Page) => readonly Row[];
  /** The rows of a page; default: 1,000. */
  readonly pageSize?: number | undefined;
}): Rows<Row, Page> {
  const readPages = async function* (size: number): AsyncGenerator<Page> {
    let page = await fetchPage({ pageSize: size });
    yield page;
    while (page.nextPageToken !== '') {
      page = await fetchPage({ pageSize: size, pageToken: page.nextPageToken });
      yield page;
    }
  };
  return {
    [Symbol.asyncIterator]: async function* () {
      for await (const page of readPages(pageSize)) yield* rowsOf(page);
    },
    pages: () => readPages(pageSize),
    all: async ({ maxRows = MAX_ROWS } = {}) => {
      const rows: Row[] = [];
      // A page of as many rows as allowed tells by its token whether there are more.
      const size = Math.max(1, Math.min(pageSize, maxRows));
      for await (const page of readPages(size)) {
        const { totalSize = 0, nextPageToken } = page;
        if (totalSize > maxRows) throw new TooManyRowsError(maxRows, totalSize);
        for (const row of rowsOf(page)) rows.push(row);
        const isMore = nextPageToken !== '' && rows.length >= maxRows;
        if (isMore || rows.length > maxRows) throw new TooManyRowsError(maxRows, undefined);
      }
      return rows;
    },
  };
}

export function createCountedRows<Row, Page extends AnyPage>({
  fetchCount,
  ...rest
}: Parameters<typeof createRows<Row, Page>>[0] & {
  readonly fetchCount: () => Promise<{
    readonly totalSize?: number | undefined;
    readonly costRows?: number | undefined;
  }>;
}): CountedRows<Row, Page> {
  return {
    ...createRows(rest),
    count: async () => {
      const { totalSize = 0, costRows = 0 } = await fetchCount();
      return { totalSize, costRows };
    },
  };
}
