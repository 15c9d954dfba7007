import { ServiceError } from '@locmetrics/core/errors/service-error';
import { versionsOf } from '@locmetrics/core/plan/versions-of';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { Access } from '../engine/choose-access.ts';
import { openRowEngine } from '../engine/open-row-engine.ts';
import type { RowFiles } from '../engine/open-row-files.ts';
import { routePlan } from './route-plan.ts';

/**
 * The row store and the column store over the same versions. The row store answers what an index answers in
 * a short time, the column store all else, and all plans of a version whose row file cannot be used.
 */
export function openEmbeddedEngine(options: {
  readonly rows: RowFiles;
  readonly columns: Engine;
  /** The name of the column store, for explanations; absent: it is not named. */
  readonly columnStore?: string;
}): Engine {
  const { rows, columns, columnStore } = options;
  const rowEngine = openRowEngine((version) => {
    const file = rows.find(version);
    if (file === undefined) throw new Error('A plan was routed to a row file that is not open.');
    return file;
  });
  return {
    ...columns,
    explain: (plan) => {
      const { store, access, boundUs, reason } = routePlan(plan, rows.find);
      return {
        store,
        access: accessText(access),
        ...(boundUs === undefined ? {} : { boundUs: Math.ceil(boundUs) }),
        reason:
          store === 'columns' && columnStore !== undefined
            ? `${reason} The column store is ${columnStore}.`
            : reason,
      };
    },
    run: async (plan, signal) => {
      const { store, access } = routePlan(plan, rows.find);
      if (store === 'columns') return columns.run(plan, signal);
      signal.throwIfAborted();
      try {
        const found = await rowEngine.run(plan, access, signal);
        if (found !== undefined) return found;
      } catch (error) {
        if (error instanceof ServiceError || signal.aborted) throw error;
        for (const version of versionsOf(plan)) rows.leaveOut(version, error);
      }
      return columns.run(plan, signal);
    },
    close: async () => {
      rows.close();
      await columns.close();
    },
  };
}

/** Names the index, without any value. */
function accessText(access: Access): string {
  switch (access.kind) {
    case 'series':
      return `series (${access.values.length} values)`;
    case 'page':
      return 'page in the order of the key';
    case 'order':
      return `order of ${access.order.field}`;
    case 'box':
      return `box (${access.blocks.length} blocks)`;
    case 'near':
      return 'nearest blocks of points';
    case 'tile': {
      const { counted, inside, atEdges } = access;
      const blocks = counted.length + inside.length + atEdges.length;
      return `tile (${blocks} blocks, of which ${counted.length} in one cell)`;
    }
    case 'search':
      return `values of ${access.search.field}`;
    case 'counter':
      return `counter of ${access.field}`;
    case 'groups':
      return `counter of ${access.groups.fields.join(', ')}`;
    case 'all':
      return 'all records';
  }
}
