/** A system under test in one shape, ready for requests. */
export type Contestant<Result> = {
  readonly name: string;
  /** Runs one round. The seed text is the same for all contestants of a round. */
  readonly run: (seedText: string, isWarmUp: boolean) => Promise<Result>;
};

/**
 * Runs the rounds of the contestants in turn, so that other load on the machine affects all of them
 * equally. Every other round runs in reverse order. Contestants that are not warm first run once,
 * uncounted.
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
