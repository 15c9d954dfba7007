import type { Predicate, ReadableVersion } from '../domain/predicate.ts';
import type { ReadPlan } from './read-plan.ts';

/** All versions that a plan queries, each once. */
export function versionsOf(plan: ReadPlan): readonly ReadableVersion[] {
  return [...new Set(listVersions(plan))];
}

function listVersions(plan: ReadPlan): readonly ReadableVersion[] {
  switch (plan.kind) {
    case 'named_values':
    case 'named_values_count':
      return plan.sources.flatMap(({ version }) => withNarrowing(version));
    case 'records':
    case 'batch':
    case 'count':
    case 'distinct':
    case 'extent':
    case 'tile':
      return [...withNarrowing(plan.version), ...readByPredicates(plan.predicates)];
    case 'groups':
      return [
        ...withNarrowing(plan.version),
        ...readByPredicates(plan.predicates),
        ...readByPredicates(plan.compared?.predicates ?? []),
        ...plan.groups.flatMap(({ lookup }) => (lookup ? withNarrowing(lookup.version) : [])),
      ];
  }
}

/** A version, and the versions that its narrowing refers to. */
function withNarrowing(version: ReadableVersion): readonly ReadableVersion[] {
  return [version, ...readByPredicates(version.narrowing?.predicates ?? [])];
}

function readByPredicates(predicates: readonly Predicate[]): readonly ReadableVersion[] {
  return predicates.flatMap(readByPredicate);
}

/** Without a default: the versions of a new kind of predicate would not be attached. */
function readByPredicate(predicate: Predicate): readonly ReadableVersion[] {
  switch (predicate.kind) {
    case 'feature': {
      const { version, predicates } = predicate.features;
      return [...withNarrowing(version), ...readByPredicates(predicates)];
    }
    case 'any':
      return predicate.alternatives.flatMap(readByPredicates);
    case 'not':
      return readByPredicates(predicate.predicates);
    case 'compare':
    case 'in':
    case 'match':
    case 'empty':
    case 'box':
    case 'polygon':
    case 'circle':
    case 'existed':
    case 'never':
      return [];
  }
}
