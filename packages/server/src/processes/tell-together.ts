/** The interval of reports during a flood. */
const TELL_EVERY_MS = 10_000;

/** Reports the first event of a flood immediately, and later ones together after the interval. */
export function tellTogether(tell: (count: number) => void): (count: number) => void {
  let untold = 0;
  let timer: NodeJS.Timeout | undefined;
  const tellUntold = (): void => {
    timer = undefined;
    if (untold === 0) return;
    tell(untold);
    untold = 0;
    timer = setTimeout(tellUntold, TELL_EVERY_MS).unref();
  };
  return (count) => {
    untold += count;
    if (timer === undefined) tellUntold();
  };
}
