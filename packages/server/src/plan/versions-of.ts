import type { DatasetVersion } from '../domain/dataset.ts';
import type { Predicate, ReadPlan } from './read-plan.ts';

/** Every version that a plan reads, each once. */
export function versionsOf(plan: ReadPlan): readonly DatasetVersion[] {
  const versions =
    plan.kind === 'named_values'
      ? plan.sources.map(({ version }) => version)
      : [plan.version, ...featureVersions(plan.predicates)];
  return [...new Set(versions)];
}

function featureVersions(predicates: readonly Predicate[]): readonly DatasetVersion[] {
  return predicates.flatMap((predicate) =>
    predicate.kind === 'feature'
      ? [predicate.features.version, ...featureVersions(predicate.features.predicates)]
      : [],
  );
}
