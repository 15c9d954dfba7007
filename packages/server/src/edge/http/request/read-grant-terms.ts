import type { AdminGrantTerms } from '@locmetrics/contract';
import type { GrantTerms } from '@locmetrics/core/domain/grant';
import { grantTimes } from '@locmetrics/core/domain/grant-days';
import { readPeriodFilter } from './read-metric-request.ts';

/** Parses the terms of a grant; absent members get their defaults. */
export function readGrantTerms(body: AdminGrantTerms): GrantTerms {
  return {
    pattern: body.pattern,
    filters: (body.filters ?? []).map(({ fieldName, operator, value = '', values = [] }) => ({
      fieldName,
      operator,
      value,
      values,
    })),
    fields: body.fields,
    lens: {
      period: readPeriodFilter(body.observationPeriodFilter),
      dimensions: body.dimensionFilter ?? [],
      addressComponents: body.addressComponentFilter ?? [],
      features: body.featureFilter ?? [],
      relatedAddressComponents: body.relatedAddressComponentFilter ?? [],
      relatedFeatures: body.relatedFeatureFilter ?? [],
    },
    ...grantTimes(body),
    showsSmallCells: body.showsSmallCells ?? false,
    liftsDefaultFilters: body.liftsDefaultFilters ?? false,
  };
}
