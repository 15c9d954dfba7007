/** A flood is told once in a while, not once for each connection. */
const TELL_EVERY_MS = 10_000;

/** Counts what can come as a flood: the first is told at once, what follows together after a while. */
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
