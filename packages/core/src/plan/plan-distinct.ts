import type { Field } from '../domain/field.ts';
import { type SearchText, searchRuleOf, toSearchText } from '../domain/search-text.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { SearchFieldValuesRequest } from '../requests/catalog-request.ts';
import type { PageToken } from '../requests/page-token.ts';
import { isStoredText } from '../text/stored-text.ts';
import { expectField, planPlainField, refuseOutline } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planOptionPredicates, refuseNear, refuseThenBy } from './plan-options.ts';
import { checkSearchRule, planPageSize } from './plan-page.ts';
import { readDistinctPosition } from './positions.ts';
import type { DistinctPlan } from './read-plan.ts';

/** The plan of a page of distinct values. */
export function planDistinct(
  request: SearchFieldValuesRequest,
  version: DatasetVersion,
  token: PageToken | undefined,
): DistinctPlan {
  const { dataset } = version;
  const field = planPlainField(request.field, dataset, '/field');
  refuseOutline(field, '/field/name', 'searched');
  refuseNear(request.options, 'values of a field');
  refuseThenBy(
    request.options,
    `The distinct values of '${field.name}' have no further key to be ordered by.`,
    'Leave thenBy out: each value is there once.',
  );
  const term = planTerm(request.term, version);
  checkSearchRule(token, term?.rule);
  return {
    kind: 'distinct',
    version,
    field,
    predicates: [
      ...planFilters(request.filters, dataset, request.filterLogic),
      ...planOptionPredicates(request.options, dataset),
    ],
    term,
    descending: planDirection(request, version, field),
    after: token && readDistinctPosition(token.position, field, term),
    limit: planPageSize(request.pageSize),
  };
}

function planTerm(term: string, { dataset }: DatasetVersion): SearchText | undefined {
  if (isStoredText(term)) return toSearchText(term, searchRuleOf([dataset]));
  throw ServiceError.atPointer(
    'INVALID_SEARCH_TERM',
    '/term',
    'The term contains U+0000 or a lone surrogate, which no stored text contains.',
    'Send well-formed Unicode text.',
  );
}

function planDirection(
  { options }: SearchFieldValuesRequest,
  { dataset }: DatasetVersion,
  field: Field,
): boolean {
  if (options.orderBy === undefined) return false;
  const ordered = expectField(options.orderBy.fieldName, dataset, '/options/orderBy/fieldName');
  if (ordered === field) return options.orderBy.descending;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/options/orderBy/fieldName',
    `The distinct values of '${field.name}' cannot be ordered by '${ordered.name}'.`,
    `One value belongs to many records: order by '${field.name}', or leave orderBy out.`,
  );
}
