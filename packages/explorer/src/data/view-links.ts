import { defaultStringifySearch } from '@tanstack/react-router';
import type { Selection } from './selection.ts';

/** The address of the records of a selection. */
export function recordsHref(dataset: string, selection: Selection): string {
  return `#/datasets/${encodeURIComponent(dataset)}/records${defaultStringifySearch(selection)}`;
}

/** The address of a metric at a feature. */
export function metricHref({
  catalogId,
  metricId,
  featureId,
}: {
  readonly catalogId: string;
  readonly metricId: string;
  readonly featureId: string;
}): string {
  const path = `${encodeURIComponent(catalogId)}/${encodeURIComponent(metricId)}`;
  return `#/metrics/${path}${defaultStringifySearch({ features: [featureId] })}`;
}
