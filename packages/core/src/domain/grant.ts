import type { PeriodFilter } from '../dates/period.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { FilterClause } from './filter.ts';
import type { AddressComponentFilter } from './metric.ts';
import type { DimensionFilter } from './metric-value.ts';

/**
 * The part that an organisation may see of the datasets and metrics that a pattern matches. If several grants
 * match, only the most specific one counts (see `findGrant`).
 *
 * Grants are not added up: a field would be visible in some records and not in others. So a narrow exception can be
 * added to a wide grant, and a grant describes exactly what is sold.
 */
export type Grant = {
  readonly grantId: string;
  /**
   * `product.dataset` or `catalog/metric`; a star at the end matches any rest: `ml_visitation.*`,
   * `nps/foot_*`. A star alone matches everything; `*.*` every dataset, and with a slash every metric.
   */
  readonly pattern: string;
  /** Only matching records are visible; for a metric, only values whose record matches. */
  readonly filters: readonly FilterClause[];
  /** For metrics only. */
  readonly lens: GrantLens;
  /**
   * The visible names: the fields of a dataset, or the values, dimensions and flags of a metric and the
   * address components of its layer and its related layer. Undefined: all.
   */
  readonly fields: readonly string[] | undefined;
  /** In ms since 1970: the time from which it is valid, and the time from which it no longer is. */
  readonly starts: number | undefined;
  readonly ends: number | undefined;
  /** Whether small cells are visible that the dataset suppresses. */
  readonly showsSmallCells: boolean;
  /** Whether a request filter on a component replaces the default filter on it. */
  readonly liftsDefaultFilters: boolean;
};

/** A grant without its id. */
export type GrantTerms = Omit<Grant, 'grantId'>;

/** The part of a metric that is granted, as filters of a request for its values; empty lists grant all. */
export type GrantLens = {
  readonly period: PeriodFilter;
  readonly dimensions: readonly DimensionFilter[];
  readonly addressComponents: readonly AddressComponentFilter[];
  readonly features: readonly string[];
  readonly relatedAddressComponents: readonly AddressComponentFilter[];
  readonly relatedFeatures: readonly string[];
};

export const WHOLE_LENS: GrantLens = {
  period: {},
  dimensions: [],
  addressComponents: [],
  features: [],
  relatedAddressComponents: [],
  relatedFeatures: [],
};

/** A grant of everything that a pattern matches. */
export function wholeGrant(grantId: string, pattern: string): Grant {
  return {
    grantId,
    pattern,
    filters: [],
    lens: WHOLE_LENS,
    fields: undefined,
    starts: undefined,
    ends: undefined,
    showsSmallCells: false,
    liftsDefaultFilters: false,
  };
}

/** Whether the pattern matches the dataset `product.dataset` or the metric `catalog/metric`. */
export function matchesPattern(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  if (pattern === '*.*') return !name.includes('/');
  if (pattern === '*/*') return name.includes('/');
  if (!pattern.endsWith('*')) return pattern === name;
  return name.startsWith(pattern.slice(0, -1));
}

/**
 * The grant that decides on a dataset or metric: the matching one with the longest pattern. A star is
 * only allowed at the end, so two matching patterns of the same length are equal. An exact name counts as
 * longer than any pattern.
 */
export function findGrant(grants: readonly Grant[], name: string): Grant | undefined {
  return grants
    .filter(({ pattern }) => matchesPattern(pattern, name))
    .reduce<Grant | undefined>(
      (best, grant) =>
        best === undefined || specificity(grant) > specificity(best) ? grant : best,
      undefined,
    );
}

function specificity({ pattern }: Grant): number {
  if (pattern === '*') return 0;
  if (pattern === '*.*' || pattern === '*/*') return 1;
  return pattern.endsWith('*') ? pattern.length : Number.POSITIVE_INFINITY;
}

const PATTERN_LENGTH_MAX = 200;

/**
 * Refuses terms that are wrong for any published data: a malformed pattern, and filters on things that the
 * pattern does not name. The pointers are those of the admin interface.
 */
export function checkGrantTerms(terms: GrantTerms): void {
  const { pattern, filters, fields, lens } = terms;
  checkPattern(pattern);
  const refuse = (pointer: string, what: string, hint: string): never => {
    throw ServiceError.atPointer('INVALID_GRANT', pointer, `${what} '${pattern}'.`, hint);
  };
  if (pattern === '*' && filters.length > 0) {
    refuse('/filters', 'Filters cannot be combined with the pattern', ONE_KIND);
  }
  if (pattern === '*' && fields !== undefined) {
    refuse('/fields', 'Fields cannot be combined with the pattern', ONE_KIND);
  }
  if (fields?.length === 0) {
    refuse(
      '/fields',
      'The list of fields is empty in the grant of',
      'Leave the fields out to grant all of them.',
    );
  }
  const narrowed = LENS_POINTERS.find(([member]) => Object.keys(lens[member]).length > 0);
  if (narrowed !== undefined && !pattern.includes('/')) {
    const [, pointer] = narrowed;
    refuse(
      pointer,
      'Only metrics can be narrowed by period, dimension, component or feature, not',
      'Name metrics: a pattern with a slash.',
    );
  }
  if (terms.liftsDefaultFilters && !namesMetrics(pattern)) {
    refuse(
      '/liftsDefaultFilters',
      'Only metrics have default filters to lift, not',
      'Leave it out.',
    );
  }
}

const ONE_KIND =
  "It matches datasets and metrics: add one grant for '*.*' or less, and another for '*/*' or less.";

/** The members of a lens, with their pointers in a request. */
const LENS_POINTERS: readonly (readonly [keyof GrantLens, string])[] = [
  ['period', '/observationPeriodFilter'],
  ['dimensions', '/dimensionFilter'],
  ['addressComponents', '/addressComponentFilter'],
  ['features', '/featureFilter'],
  ['relatedAddressComponents', '/relatedAddressComponentFilter'],
  ['relatedFeatures', '/relatedFeatureFilter'],
];

function namesMetrics(pattern: string): boolean {
  return pattern === '*' || pattern.includes('/');
}

function checkPattern(pattern: string): void {
  if (pattern.length <= PATTERN_LENGTH_MAX && PATTERN.test(pattern)) return;
  throw ServiceError.atPointer(
    'INVALID_GRANT',
    '/pattern',
    pattern === ''
      ? 'The pattern of the grant is missing.'
      : `${quotePattern(pattern)} is not a pattern.`,
    'Write product.dataset or catalog/metric, with a star at the end for any text: ml_visitation.*; or * for everything.',
  );
}

/** Everything, all of one kind, a prefix with a star, or a whole name. */
const PATTERN = /^(\*|\*[./]\*|[a-z0-9_]+[./][a-z0-9_]*\*|[a-z0-9_]+[./][a-z0-9_]+)$/;

function quotePattern(pattern: string): string {
  return JSON.stringify(pattern.slice(0, 100));
}
