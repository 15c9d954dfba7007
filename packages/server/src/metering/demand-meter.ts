/** How much is used at the moment: an average over about a tenth of a second. */
export type DemandMeter = {
  readonly add: (amount: number) => void;
  readonly perMs: () => number;
};

const AVERAGE_MS = 100;

export function openDemandMeter(nowMs: () => number): DemandMeter {
  let sum = 0;
  let atMs = nowMs();
  const decay = (): void => {
    const now = nowMs();
    sum *= Math.exp((atMs - now) / AVERAGE_MS);
    atMs = now;
  };
  return {
    add: (amount) => {
      decay();
      sum += amount;
    },
    perMs: () => {
      decay();
      return sum / AVERAGE_MS;
    },
  };
}
