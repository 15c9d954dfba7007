import type { Predicate, ReadableVersion } from '../domain/predicate.ts';
import type { ReadPlan } from './read-plan.ts';

/** All versions that a plan queries, each once. */
export function versionsOf(plan: ReadPlan): readonly ReadableVersion[] {
  const versions =
    plan.kind === 'named_values'
      ? plan.sources.flatMap(({ version }) => withNarrowing(version))
      : [...withNarrowing(plan.version), ...readByPredicates(plan.predicates)];
  return [...new Set(versions)];
}

/** A version, and the versions that its narrowing refers to. */
function withNarrowing(version: ReadableVersion): readonly ReadableVersion[] {
  return [version, ...readByPredicates(version.narrowing?.predicates ?? [])];
}

function readByPredicates(predicates: readonly Predicate[]): readonly ReadableVersion[] {
  return predicates.flatMap((predicate) => {
    switch (predicate.kind) {
      case 'feature': {
        const { version, predicates: inner } = predicate.features;
        return [...withNarrowing(version), ...readByPredicates(inner)];
      }
      case 'any':
        return predicate.alternatives.flatMap(readByPredicates);
      default:
        return [];
    }
  });
}
