import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { CurrentFile } from './current-file.ts';
import type { DataDirectory } from './data-directory.ts';
import { findMetricVersion, type MetricPart } from './list-metric-versions.ts';

/** Why a name is not that of a kept version, and what it is instead. */
export type UnknownVersion = {
  readonly message: string;
  /**
   * A version of the same dataset that may be meant. A command that cannot be undone does not show it: the reader
   * could run it with a version that nobody named.
   */
  readonly suggestion: string | undefined;
};

/** Explains a name that is not that of a kept version of a dataset. */
export function explainUnknownVersion(
  { directory, current }: { readonly directory: DataDirectory; readonly current: CurrentFile },
  datasetName: string,
  version: string,
): UnknownVersion {
  const dataset = current.datasets[datasetName];
  const former = explainFormer(current, datasetName, version);
  if (former !== undefined) return { message: former, suggestion: undefined };
  const other = ownerOf(current, version);
  if (other !== undefined) {
    return {
      message: `${version} is a version of ${other}, not of ${datasetName}.`,
      suggestion: undefined,
    };
  }
  const metric = explainMetricVersion({ directory, current }, version);
  if (metric !== undefined) {
    const part = metric.madeOf.find((one) => one.dataset === datasetName);
    return {
      message: metric.message,
      suggestion:
        part === undefined
          ? `It has no version of ${datasetName}.`
          : `Its version of ${datasetName} is ${part.version}.`,
    };
  }
  return {
    message: `${datasetName} has no version '${version.slice(0, 100)}'.`,
    suggestion: nameHint(version, dataset?.kept ?? []),
  };
}

/** Explains a name that is not that of a kept version of any dataset. Nothing similar is suggested. */
export function explainUnownedVersion(
  opened: { readonly directory: DataDirectory; readonly current: CurrentFile },
  version: string,
): string {
  for (const name of Object.keys(opened.current.datasets).sort()) {
    const former = explainFormer(opened.current, name, version);
    if (former !== undefined) return former;
  }
  return (
    explainMetricVersion(opened, version)?.message ??
    `No dataset has a version '${version.slice(0, 100)}'.`
  );
}

/** The dataset of a kept version. */
export function ownerOf({ datasets }: CurrentFile, version: string): string | undefined {
  return Object.entries(datasets).find(([, { kept }]) => kept.includes(version))?.[0];
}

function explainFormer(
  { datasets }: CurrentFile,
  datasetName: string,
  version: string,
): string | undefined {
  const dataset = datasets[datasetName];
  const withdrawal = dataset?.withdrawn.find((one) => one.version === version);
  if (withdrawal !== undefined) {
    return `The version ${version} of ${datasetName} was withdrawn at ${withdrawal.time}.`;
  }
  return dataset?.history.some((one) => one.version === version)
    ? `The version ${version} of ${datasetName} is no longer kept, so it cannot be queried.`
    : undefined;
}

function explainMetricVersion(
  { directory, current }: { readonly directory: DataDirectory; readonly current: CurrentFile },
  version: string,
): { readonly message: string; readonly madeOf: readonly MetricPart[] } | undefined {
  const found = findMetricVersion(directory, current, version);
  if (found === undefined) return undefined;
  const [first = '', ...others] = found.metrics;
  const metrics =
    others.length === 0
      ? `the metric ${first}`
      : `the metric ${first} and ${others.length} ${others.length === 1 ? 'other' : 'others'}`;
  const parts = found.madeOf.map((part) => `${part.version} of ${part.dataset}`);
  return {
    message: `${version} is a version of ${metrics}, not of a dataset. It is made of ${parts.join(' and ')}.`,
    madeOf: found.madeOf,
  };
}
