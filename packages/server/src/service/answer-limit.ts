import { openLender } from '../domain/lend-items.ts';

/**
 * Pages that are made at once, however many are asked for: each may hold 10,000 rows, from its first
 * query until it is written.
 */
export type AnswerLimit = {
  readonly use: <Result>(signal: AbortSignal, make: () => Promise<Result>) => Promise<Result>;
};

/** As many as there are queries at once; more would only wait for the database with rows in hand. */
const ANSWERS_MAX = 4;
const WAITING_MAX = 1000;

export function openAnswerLimit(): AnswerLimit {
  let places = 0;
  const lender = openLender({
    create: async () => {
      places += 1;
      return places;
    },
    itemsMax: ANSWERS_MAX,
    waitingMax: WAITING_MAX,
    busy: 'Too many requests are waiting for their answers.',
  });
  return {
    use: async (signal, make) => {
      const place = await lender.borrow(signal);
      try {
        return await make();
      } finally {
        lender.giveBack(place);
      }
    },
  };
}
