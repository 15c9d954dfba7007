/** The interval at which the CPU time of a worker is read. */
const READ_EVERY_MS = 10_000;
/** A worker that needs less of the time is idle. */
const IDLE_SHARE = 0.05;
/** After less work there is little to collect. */
const WORKED_MIN_MS = 500;

/**
 * Collects the garbage of a worker once it is idle after work. V8 collects only when something is allocated, so a
 * worker would keep the memory of its last large pages until the next ones. Returns a function that ends it.
 */
export function collectWhenIdle(
  /** Lets go of memory that the process keeps for later, before the garbage is collected. */
  release: () => void,
  /** The CPU time of the process so far, in ms. */
  readCpuMs: () => number = cpuMsOfProcess,
  /** Absent if Node runs without `--expose-gc`. */
  collect: (() => void) | undefined = collectAll(),
): () => void {
  let last = readCpuMs();
  let workedMs = 0;
  const timer = setInterval(() => {
    const now = readCpuMs();
    const usedMs = now - last;
    last = now;
    workedMs += usedMs;
    if (usedMs > READ_EVERY_MS * IDLE_SHARE || workedMs < WORKED_MIN_MS) return;
    release();
    collect?.();
    workedMs = 0;
    last = readCpuMs();
  }, READ_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function cpuMsOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function collectAll(): (() => void) | undefined {
  const { gc } = globalThis;
  return gc && (() => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }));
}
