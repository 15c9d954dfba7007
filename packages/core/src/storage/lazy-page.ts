import type { RecordsPage } from './engine.ts';

type Rows = RecordsPage['rows'];

/**
 * A page whose rows are made when they are first read, because mostly its columns are read or its records visited.
 *
 * It is a class, because V8 gives every object literal with a getter a hidden class of its own, which keeps what the getter
 * refers to until a full collection.
 */
export class LazyPage implements RecordsPage {
  readonly size: number;
  readonly columns: RecordsPage['columns'];
  readonly visit: RecordsPage['visit'];
  readonly positionAt: RecordsPage['positionAt'];
  readonly hasMore: boolean;
  readonly total: number | undefined;
  readonly #makeRows: () => Rows;
  #rows: Rows | undefined;

  constructor(
    { size, columns, visit, positionAt, hasMore, total }: Omit<RecordsPage, 'rows'>,
    makeRows: () => Rows,
  ) {
    this.size = size;
    this.columns = columns;
    this.visit = visit;
    this.positionAt = positionAt;
    this.hasMore = hasMore;
    this.total = total;
    this.#makeRows = makeRows;
  }

  get rows(): Rows {
    this.#rows ??= this.#makeRows();
    return this.#rows;
  }
}
