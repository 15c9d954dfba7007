import type { GrantLoss } from '@locmetrics/core/domain/grant-fit';
import {
  type FindGrantLosses,
  grantLossLines,
} from '@locmetrics/ingest/publish/check-grant-losses';
import { findGrantLosses } from '@locmetrics/server/service/rights/find-grant-losses';
import type { Output } from '../cli/output.ts';
import { hasStore, type OpenedDirectory, withStoreOf } from './open-data.ts';

/** Finds what the current grants of the control store lose. */
export function grantLossFinder(opened: OpenedDirectory): FindGrantLosses {
  return async (before, after) => {
    // A publish does not create a store.
    if (!hasStore(opened)) return [];
    return withStoreOf(opened, (store) =>
      findGrantLosses(store.listGrants({ skipsDamaged: true }), { before, after, now: Date.now() }),
    );
  };
}

/** Reports what grants lost in an accepted switch. */
export function printGrantLosses(losses: readonly GrantLoss[], output: Output): void {
  if (losses.length === 0) return;
  output.messages(
    `${grantLossLines(losses).join('\n')}\nTo list grants that do not fit: locmetrics grant check\n`,
  );
}
