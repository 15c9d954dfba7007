import {
  type Grant,
  type GrantLens,
  matchesPattern,
  WHOLE_LENS,
} from '@locmetrics/core/domain/grant';
import type { GrantFit } from '@locmetrics/core/domain/grant-fit';
import { filterText, namedText } from '@locmetrics/core/domain/grant-text';
import type { DatasetVersion, MetricVersion } from '@locmetrics/core/domain/version';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { narrowDataset } from '@locmetrics/core/plan/narrow-dataset';
import { narrowMetric } from '@locmetrics/core/plan/narrow-metric';
import type { CatalogSnapshot } from '@locmetrics/data-directory/versions/open-catalog';
import {
  checkDatasetField,
  checkDatasetParts,
  checkMainMeasure,
  checkMetricField,
  checkMetricParts,
} from './check-grant.ts';

export type Published = Pick<CatalogSnapshot, 'datasets' | 'metrics'>;

/** How a grant fits each published dataset and metric that its pattern matches. */
export function fitGrant(grant: Grant, published: Published): readonly GrantFit[] {
  const names = [...published.datasets.keys(), ...published.metrics.keys()];
  return names
    .filter((name) => matchesPattern(grant.pattern, name))
    .flatMap((name) => fitGrantTo(grant, name, published) ?? []);
}

/** How a grant fits one dataset or metric; undefined if it is not published. */
export function fitGrantTo(
  grant: Grant,
  name: string,
  { datasets, metrics }: Published,
): GrantFit | undefined {
  const dataset = datasets.get(name);
  const metric = metrics.get(name);
  if (dataset !== undefined) {
    return {
      name,
      isSeen: !isRefused(() => narrowDataset(dataset, grant, datasets)),
      problems: datasetProblems(grant, dataset),
    };
  }
  if (metric === undefined) return undefined;
  return {
    name,
    isSeen: !isRefused(() => narrowMetric(metric, grant, datasets)),
    problems: metricProblems(grant, metric),
  };
}

function datasetProblems(grant: Grant, version: DatasetVersion): readonly string[] {
  return [
    ...partsOf(grant).map(({ what, part }) =>
      problemOf(what, () => checkDatasetParts(part, version)),
    ),
    ...(grant.fields ?? []).map((name) =>
      problemOf(`Field ${name}`, () => checkDatasetField(name, version, '/fields')),
    ),
  ].filter((problem) => problem !== undefined);
}

function metricProblems(grant: Grant, version: MetricVersion): readonly string[] {
  return [
    ...partsOf(grant).map(({ what, part }) =>
      problemOf(what, () => checkMetricParts(part, version)),
    ),
    ...(grant.fields ?? []).map((name) =>
      problemOf(`Field ${name}`, () => checkMetricField(name, version, '/fields')),
    ),
    problemOf('Fields', () => checkMainMeasure(grant, version)),
  ].filter((problem) => problem !== undefined);
}

type GrantPart = { readonly what: string; readonly part: Grant };

/** Splits a grant into one grant per filter and list, so that the problem of one does not hide another. */
function partsOf(grant: Grant): readonly GrantPart[] {
  const whole: Grant = { ...grant, filters: [], fields: undefined, lens: WHOLE_LENS };
  const { dimensions, addressComponents, relatedAddressComponents, relatedFeatures } = grant.lens;
  const listed = (what: string, lens: Partial<GrantLens>): GrantPart => ({
    what,
    part: { ...whole, lens: { ...WHOLE_LENS, ...lens } },
  });
  return [
    ...grant.filters.map((clause) => ({
      what: `Filter ${filterText(clause)}`,
      part: { ...whole, filters: [clause] },
    })),
    ...dimensions.map((list) =>
      listed(`Dimension ${namedText(list.dimensionId, list.values)}`, { dimensions: [list] }),
    ),
    ...addressComponents.map((list) =>
      listed(`Component ${namedText(list.component, list.values)}`, { addressComponents: [list] }),
    ),
    ...relatedAddressComponents.map((list) =>
      listed(`Related component ${namedText(list.component, list.values)}`, {
        relatedAddressComponents: [list],
      }),
    ),
    ...(relatedFeatures.length === 0 ? [] : [listed('Related features', { relatedFeatures })]),
  ];
}

function problemOf(what: string, check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${what}: ${error.message}`;
  }
}

function isRefused(narrow: () => unknown): boolean {
  return problemOf('', () => void narrow()) !== undefined;
}
