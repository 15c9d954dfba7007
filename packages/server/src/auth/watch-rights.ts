import { setImmediate as nextLoopTick } from 'node:timers/promises';
import type { ControlStore } from './control-store.ts';
import { type CheckPlace, keyOf } from './find-damaged-rows.ts';
import { type DamagedRow, RightsDamagedError } from './rights-damaged-error.ts';

/** Checks all rows that decide rights again and again, and refuses what a damaged one may decide. */
export type RightsWatch<Store> = {
  /** The store, which also refuses unknown tokens while one of its tokens is damaged: it may be that one. */
  readonly store: Store;
  /** The damaged rows of the last check. */
  readonly damaged: () => readonly DamagedRow[];
  /** The damaged rows after a new check, unless the last one started a few seconds ago. */
  readonly damagedNow: () => Promise<readonly DamagedRow[]>;
  readonly close: () => void;
};

const CHECK_EVERY_MS = 60_000;
/** Anybody may ask for readiness, and a check reads all rows. */
const CHECK_AGAIN_MS = 10_000;

/** The first check starts at once. `onDamaged` is called once for a row, until it is whole again. */
export function watchRights<Store extends Pick<ControlStore, 'findCaller' | 'findDamagedRows'>>(
  store: Store,
  {
    onDamaged,
    everyMs = CHECK_EVERY_MS,
    againMs = CHECK_AGAIN_MS,
  }: {
    readonly onDamaged: (row: DamagedRow) => void;
    readonly everyMs?: number;
    /** How old the last check may be for `damagedNow`. */
    readonly againMs?: number;
  },
): RightsWatch<Store> {
  let known = new Map<string, DamagedRow>();
  let isClosed = false;
  let checking: Promise<void> | undefined;
  let startedMs = Number.NEGATIVE_INFINITY;
  const note = (row: DamagedRow): void => {
    if (known.has(keyOf(row))) return;
    known.set(keyOf(row), row);
    onDamaged(row);
  };
  const check = (): Promise<void> => {
    if (checking === undefined) {
      startedMs = performance.now();
      checking = checkAll().finally(() => {
        checking = undefined;
      });
    }
    return checking;
  };
  const checkAll = async (): Promise<void> => {
    try {
      const found = new Map<string, DamagedRow>();
      let place: CheckPlace | undefined;
      do {
        const { damaged, next } = store.findDamagedRows(place);
        for (const row of damaged) {
          found.set(keyOf(row), row);
          note(row);
        }
        place = next;
        await nextLoopTick();
      } while (place !== undefined && !isClosed);
      if (!isClosed) known = found;
    } catch {
      // The store cannot be read: each request says so, and readiness.
    }
  };
  const timer = setInterval(check, everyMs).unref();
  void check();
  return {
    store: {
      ...store,
      findCaller: (tokenText) => {
        try {
          const lookup = store.findCaller(tokenText);
          const isUnknown = !lookup.isAccepted && lookup.refusal === 'unknown';
          const token = isUnknown ? damagedToken(known) : undefined;
          if (token === undefined) return lookup;
          throw new RightsDamagedError(token);
        } catch (error) {
          if (error instanceof RightsDamagedError) note(error.row);
          throw error;
        }
      },
    },
    damaged: () => [...known.values()],
    damagedNow: async () => {
      if (!isClosed && performance.now() - startedMs >= againMs) await check();
      else await checking;
      return [...known.values()];
    },
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

function damagedToken(known: ReadonlyMap<string, DamagedRow>): DamagedRow | undefined {
  return [...known.values()].find(({ table }) => table === 'token');
}
