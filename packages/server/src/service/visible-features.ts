import type { PeriodFilter } from '@locmetrics/core/dates/period';
import { type Value, valueText } from '@locmetrics/core/domain/value';
import type { LayerVersion } from '@locmetrics/core/domain/version';
import type { TileValuesPlan } from '@locmetrics/core/plan/plan-tile-values';
import type { RecordsPlan } from '@locmetrics/core/plan/read-plan';
import { roleField } from '@locmetrics/core/plan/role-fields';
import type { StopSignal } from '@locmetrics/core/runtime/stop';
import type { Engine, RecordsPage } from '@locmetrics/core/storage/engine';
import { compareUtf8 } from '@locmetrics/core/text/text-order';
import { type KnownFeatures, openKeptByFeature } from './kept-by-feature.ts';
import { planByIds, planIds } from './read-features.ts';

/** Reads what tiles show of features, as a caller sees them, and keeps it. */
export type VisibleFeatures = {
  /** The name of each visible feature; an empty text for one without a name. */
  readonly names: (
    layer: LayerVersion,
    ids: readonly string[],
    signal: StopSignal,
  ) => Promise<KnownFeatures<string>>;
  /** The value of each feature in a period; null for an absent one. */
  readonly values: (
    asked: {
      readonly plan: TileValuesPlan;
      /** The selection of the request, without the period. */
      readonly selected: string;
      readonly period: PeriodFilter;
      readonly isWhole: boolean;
    },
    ids: readonly string[],
    signal: StopSignal,
  ) => Promise<KnownFeatures<Value>>;
};

export function openVisibleFeatures(engine: Engine): VisibleFeatures {
  const names = openKeptByFeature<string>();
  const values = openKeptByFeature<Value>();
  return {
    names: (layer, ids, signal) =>
      names.find({ view: layer.features, part: layer.layer.id, ids }, (missing) =>
        readNames(engine, layer, missing, signal),
      ),
    values: ({ plan, selected, period, isWhole }, ids, signal) => {
      const part = JSON.stringify([selected, period.start ?? '', period.end ?? '']);
      return values.find({ view: plan.version, part, ids }, (missing) =>
        readValues(engine, toRecordsPlan(plan, { period, isWhole, ids: [...missing] }), signal),
      );
    },
  };
}

async function readNames(
  engine: Engine,
  { layer, features }: LayerVersion,
  ids: ReadonlySet<string>,
  signal: StopSignal,
): Promise<ReadonlyMap<string, string>> {
  const id = roleField(features.dataset, layer.featureId);
  const fields = [id, roleField(features.dataset, layer.name)];
  const { rows } = await engine.run(planByIds(features, { id, fields, ids }), signal);
  return new Map(rows.map((row) => [valueText(row[0] ?? null), valueText(row[1] ?? null)]));
}

function toRecordsPlan(
  { version, featureId, measure, order, predicatesFor }: TileValuesPlan,
  asked: {
    readonly period: PeriodFilter;
    readonly isWhole: boolean;
    readonly ids: readonly string[];
  },
): RecordsPlan {
  return {
    kind: 'records',
    version: version.values,
    fields: [featureId, measure],
    predicates: [
      ...predicatesFor(asked.period, asked.isWhole),
      ...planIds(featureId, asked.ids.toSorted(compareUtf8)),
    ],
    order,
    keyDescending: false,
    limit: VALUES_AT_ONCE,
  };
}

const VALUES_AT_ONCE = 10_000;

/** Nearly always a feature has one value; of more it is the first in the order of the metric. */
async function readValues(
  engine: Engine,
  plan: RecordsPlan,
  signal: StopSignal,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  for (let next: RecordsPlan | undefined = plan; next !== undefined; ) {
    const { rows, hasMore, positionAt }: RecordsPage = await engine.run(next, signal);
    for (const [id = null, value = null] of rows) {
      const text = valueText(id);
      if (!values.has(text)) values.set(text, value);
    }
    next = hasMore ? { ...plan, after: positionAt(rows.length - 1) } : undefined;
  }
  return values;
}
