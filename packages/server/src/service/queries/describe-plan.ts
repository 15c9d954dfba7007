import type { Predicate, ReadableVersion } from '@locmetrics/core/domain/predicate';
import type {
  AggregateTerm,
  GroupTerm,
  NamedValuesSelection,
  OrderTerm,
  ReadPlan,
} from '@locmetrics/core/plan/read-plan';
import { versionsOf } from '@locmetrics/core/plan/versions-of';
import type { PlanDescription } from '../../observe/plan-description.ts';

/** Describes a plan by the names of the schema, without any value. */
export function describePlan(plan: ReadPlan): Omit<PlanDescription, 'plan'> {
  const versions = versionsOf(plan);
  const [first] = versions;
  const common = {
    dataset: first?.dataset.name ?? '',
    version: first?.version ?? '',
    rights: describeRights(versions),
  };
  switch (plan.kind) {
    case 'records':
      return {
        ...common,
        filters: plan.predicates.map(describePredicate),
        order: [...plan.order.map(describeOrder), plan.keyDescending ? 'key desc' : 'key asc'],
        fields: plan.fields.length,
        pageSize: plan.limit,
        isLaterPage: plan.after !== undefined,
      };
    case 'batch':
      return {
        ...common,
        filters: plan.predicates.map(describePredicate),
        order: ['key asc'],
        fields: plan.fields.length,
        isLaterPage: plan.from > 0,
      };
    case 'distinct':
      return {
        ...common,
        filters: [
          ...plan.predicates.map(describePredicate),
          ...(plan.term === undefined ? [] : [`contains ${plan.field.name}`]),
        ],
        order: [`${plan.field.name} ${plan.descending ? 'desc' : 'asc'}`],
        fields: 1,
        pageSize: plan.limit,
        isLaterPage: plan.after !== undefined,
      };
    case 'named_values':
      return {
        ...common,
        filters: describeSelection(plan),
        order: ['value asc'],
        fields: plan.sources.length,
        pageSize: plan.limit,
        isLaterPage: plan.after !== undefined,
      };
    case 'count': {
      const { distinct } = plan;
      const filters = plan.predicates.map(describePredicate);
      if (distinct === undefined) return { ...common, filters, order: [] };
      const ofField = `distinct ${distinct.field.name}`;
      return { ...common, filters: [...filters, ofField], order: [] };
    }
    case 'named_values_count':
      return { ...common, filters: describeSelection(plan), order: [] };
    case 'tile':
      return {
        ...common,
        filters: plan.predicates.map(describePredicate),
        order: [],
        fields: plan.fields.length,
      };
    case 'groups': {
      const { groups, aggregates, order, compared } = plan;
      const names = [...groups, ...aggregates].map(({ name }) => name);
      return {
        ...common,
        filters: [
          ...[...plan.predicates, ...plan.conditions].map(describePredicate),
          ...(compared ? [`compared with (${describeAll(compared.predicates)})`] : []),
        ],
        groups: groups.map(describeGroup),
        aggregates: aggregates.map(describeAggregate),
        order: order.map(({ index, part, descending }) =>
          [names[index], part, descending ? 'desc' : 'asc'].filter(Boolean).join(' '),
        ),
        fields: names.length,
        pageSize: plan.limit,
        isLaterPage: plan.after > 0,
      };
    }
    case 'extent':
      return { ...common, filters: plan.predicates.map(describePredicate), order: [] };
  }
}

/** The filters that the rights of a caller add to each query of these versions; the first is the one that is queried. */
function describeRights(versions: readonly ReadableVersion[]): readonly string[] {
  return versions.flatMap(({ dataset, narrowing }, index) => {
    const { predicates = [], suppressed = [] } = narrowing ?? {};
    const own = [
      ...predicates.map(describePredicate),
      ...suppressed.map(({ name }) => `withheld ${name}`),
    ];
    return index === 0 ? own : own.map((text) => `${text} of ${dataset.name}`);
  });
}

function describeGroup({ field, bucket, lookup }: GroupTerm): string {
  if (lookup !== undefined) {
    return `${lookup.value.name} of ${lookup.version.dataset.name} by ${field.name}`;
  }
  return bucket === undefined ? field.name : `${field.name} by ${bucket}`;
}

function describeAggregate({ aggregation, field, ofPresent }: AggregateTerm): string {
  const described = `${aggregation} ${field?.name ?? 'records'}`;
  if (ofPresent === undefined) return described;
  return `${described} of records with ${ofPresent.map(({ name }) => name).join(' or ')}`;
}

function describeSelection({ values, query }: NamedValuesSelection): readonly string[] {
  return [
    ...(values === undefined ? [] : [`in value (${values.length} values)`]),
    ...(query === undefined ? [] : ['contains value']),
  ];
}

function describePredicate(predicate: Predicate): string {
  switch (predicate.kind) {
    case 'compare':
      return `${predicate.operator} ${predicate.field.name}`;
    case 'in': {
      const { negated, field, values } = predicate;
      return `${negated ? 'not in' : 'in'} ${field.name} (${values.length} values)`;
    }
    case 'match':
      return `${predicate.match} ${predicate.field.name}`;
    case 'empty':
      return `${predicate.negated ? 'is not empty' : 'is empty'} ${predicate.field.name}`;
    case 'box':
      return 'box';
    case 'polygon':
      return `polygon (${predicate.ring.length} points)`;
    case 'circle':
      return 'circle';
    case 'existed':
      return 'existed';
    case 'feature': {
      const { field, features } = predicate;
      const inner = features.predicates.map(describePredicate).join(', ');
      return `feature ${field.name} of ${features.version.dataset.name} (${inner})`;
    }
    case 'any':
      return `any of (${predicate.alternatives.map(describeAll).join(' or ')})`;
    case 'not':
      return `not (${describeAll(predicate.predicates)})`;
    case 'never':
      return 'never';
  }
}

function describeAll(predicates: readonly Predicate[]): string {
  return predicates.map(describePredicate).join(' and ');
}

function describeOrder(term: OrderTerm): string {
  return term.kind !== 'field'
    ? term.kind
    : `${term.field.name} ${term.descending ? 'desc' : 'asc'}`;
}
