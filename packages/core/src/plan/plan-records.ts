import { DISTANCE_FIELD } from '../domain/distance.ts';
import type { Field } from '../domain/field.ts';
import type { DatasetVersion } from '../domain/version.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ListRecordsRequest } from '../requests/catalog-request.ts';
import type { PageToken } from '../requests/page-token.ts';
import { planFields } from './plan-fields.ts';
import { planFilters } from './plan-filters.ts';
import { planOptionPredicates, planOrder } from './plan-options.ts';
import { planPageSize } from './plan-page.ts';
import { readRecordPosition } from './positions.ts';
import type { RecordsPlan } from './read-plan.ts';

type PlannedRequest = Pick<
  ListRecordsRequest,
  'fields' | 'filters' | 'filterLogic' | 'options' | 'groupFilters' | 'pageSize'
>;

/** The plan of a page of records. Refuses a request that the schema of the version does not allow. */
export function planRecords(
  request: PlannedRequest,
  version: DatasetVersion,
  token: PageToken | undefined,
): RecordsPlan {
  const { dataset } = version;
  if (request.groupFilters.length > 0) {
    throw ServiceError.atPointer(
      'INVALID_AGGREGATION',
      '/groupFilters',
      'The request has filters on groups, but no groups.',
      'Add groupBy, or send the filters as filters.',
    );
  }
  const order = planOrder(request.options, dataset);
  const fields = planFields(request.fields, dataset);
  if (request.options.near !== undefined) checkHasNoDistance(fields);
  return {
    kind: 'records',
    version,
    fields,
    predicates: [
      ...planFilters(request.filters, dataset, request.filterLogic),
      ...planOptionPredicates(request.options, dataset),
    ],
    order,
    keyDescending: false,
    after: token && readRecordPosition(token.position, order),
    limit: planPageSize(request.pageSize),
  };
}

/** Refuses a field with the name of the distance, which follows the fields. */
function checkHasNoDistance(fields: readonly Field[]): void {
  if (fields.every(({ name }) => name !== DISTANCE_FIELD.name)) return;
  throw ServiceError.atPointer(
    'INVALID_OPTION',
    '/options/near',
    `The records have a field '${DISTANCE_FIELD.name}', and near adds a value of this name.`,
    `Name the other fields in fields, or send orderBy in place of near.`,
  );
}
