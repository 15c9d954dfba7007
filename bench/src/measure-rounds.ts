/** A system under test in one shape, ready to be asked. */
export type Contestant<Result> = {
  readonly name: string;
  /** Asks for one round; the seed text is the same for all contestants of a round. */
  readonly run: (seedText: string, isWarmUp: boolean) => Promise<Result>;
};

/**
 * Runs the rounds of the contestants in turn, so that whatever else the machine does meets all of
 * them alike; every other round goes backwards. Unless they are warm each runs once before, uncounted.
 */
export async function measureRounds<Result>(
  contestants: readonly Contestant<Result>[],
  {
    rounds,
    seedText,
    messages,
    areWarm = false,
  }: {
    readonly rounds: number;
    readonly seedText: string;
    readonly messages: (line: string) => void;
    readonly areWarm?: boolean;
  },
): Promise<ReadonlyMap<string, readonly Result[]>> {
  if (!areWarm) for (const { run } of contestants) await run(`${seedText}/warm-up`, true);
  const results = new Map<string, Result[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    messages(`  round ${round + 1} of ${rounds}`);
    const order = round % 2 === 0 ? contestants : contestants.toReversed();
    for (const { name, run } of order) {
      results.get(name)?.push(await run(`${seedText}/${round}`, false));
    }
  }
  return results;
}
