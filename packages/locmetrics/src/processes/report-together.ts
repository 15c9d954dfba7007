/** The interval of reports during a flood. */
const REPORT_EVERY_MS = 10_000;

/** Reports the first event of a flood immediately, and later ones together after the interval. */
export function reportTogether(report: (count: number) => void): (count: number) => void {
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  const reportWaiting = (): void => {
    timer = undefined;
    if (waiting === 0) return;
    report(waiting);
    waiting = 0;
    timer = setTimeout(reportWaiting, REPORT_EVERY_MS).unref();
  };
  return (count) => {
    waiting += count;
    if (timer === undefined) reportWaiting();
  };
}
