import type { Layer } from '@locmetrics/core/domain/layer';
import type { Metric } from '@locmetrics/core/domain/metric';

/** The definition that one owner gives of a named thing; other owners may define the same name. */
export type Statement<Owner> = {
  readonly name: string;
  readonly owner: Owner;
  /** The values, by the keys of the manifest. */
  readonly said: Readonly<Record<string, string>>;
};

export type Disagreement<Owner> = {
  readonly name: string;
  readonly key: string;
  readonly first: { readonly owner: Owner; readonly value: string };
  readonly second: { readonly owner: Owner; readonly value: string };
};

/** The statements that differ from the first one of the same name. */
export function findDisagreements<Owner>(
  statements: readonly Statement<Owner>[],
): readonly Disagreement<Owner>[] {
  const firsts = new Map<string, Statement<Owner>>();
  const found: Disagreement<Owner>[] = [];
  for (const statement of statements) {
    const first = firsts.get(statement.name);
    if (first === undefined) {
      firsts.set(statement.name, statement);
      continue;
    }
    for (const [key, value] of Object.entries(statement.said)) {
      const before = first.said[key] ?? '';
      if (before === value) continue;
      found.push({
        name: statement.name,
        key,
        first: { owner: first.owner, value: before },
        second: { owner: statement.owner, value },
      });
    }
  }
  return found;
}

/** The definitions of the components of a layer, by the keys of the manifest. */
export function componentStatements(layer: Layer): readonly Statement<Layer>[] {
  return layer.addressComponents.map((part) => ({
    name: part.component,
    owner: layer,
    said: {
      kind: part.kind,
      label: part.shortName,
      title: part.displayName,
      description: part.description,
      map_layer: part.mapLayerId,
    },
  }));
}

/** The definitions of the dimensions of a metric, by the keys of the manifest. */
export function dimensionStatements(metric: Metric): readonly Statement<Metric>[] {
  return metric.dimensions.map(({ dimensionId, displayName, description }) => ({
    name: dimensionId,
    owner: metric,
    said: { title: displayName, description },
  }));
}
