import { join } from 'node:path';
import { metricName } from '@locmetrics/core/domain/metric';
import type { MetricExtent } from '@locmetrics/core/domain/metric-extent';
import type { ReadableVersion } from '@locmetrics/core/domain/predicate';
import type { MetricVersion } from '@locmetrics/core/domain/version';
import { DataDirectoryError } from '../files/data-directory-error.ts';
import { writeDurably } from '../files/durable-file.ts';
import { readSealed, sealedText } from '../files/sealed-json.ts';
import { EXTENTS_FILE } from './data-directory.ts';
import { readIfPresent } from './version-file.ts';

/** The extents of the metrics over a version, in its folder: counted once, by the publish that changes them. */
type ExtentsFile = {
  readonly format: 1;
  readonly extents: readonly (MetricExtent & {
    readonly metric: string;
    /** See `combineVersions`. */
    readonly version: string;
  })[];
};

/** The versions that a metric is made of. */
export function partsOf({
  values,
  layer,
  relatedLayer,
}: MetricVersion): readonly ReadableVersion[] {
  return [values, layer.features, ...(relatedLayer === undefined ? [] : [relatedLayer.features])];
}

export async function writeExtents(
  folder: string,
  extents: ReadonlyMap<MetricVersion, MetricExtent>,
): Promise<void> {
  const file: ExtentsFile = {
    format: 1,
    extents: [...extents].map(([{ metric, version }, extent]) => ({
      metric: metricName(metric),
      version,
      ...extent,
    })),
  };
  await writeDurably(join(folder, EXTENTS_FILE), sealedText(file));
}

/**
 * Finds the extent of a metric, of which the caller sees everything. Undefined if no publish wrote it, as for versions
 * that were combined by a rollback, or if its file is damaged: it can be counted again.
 */
export function findExtent(
  version: MetricVersion,
  directoryOf: (version: ReadableVersion) => string,
): MetricExtent | undefined {
  const name = metricName(version.metric);
  for (const part of partsOf(version)) {
    const found = readExtents(directoryOf(part)).find(
      (one) => one.metric === name && one.version === version.version,
    );
    if (found === undefined) continue;
    const { firstDay, lastDay, count, isWhole } = found;
    return { firstDay, lastDay, count, isWhole };
  }
  return undefined;
}

function readExtents(folder: string): ExtentsFile['extents'] {
  const path = join(folder, EXTENTS_FILE);
  const text = readIfPresent(path);
  if (text === undefined) return [];
  try {
    // A checksum proves that the file is as it was written.
    const file = readSealed(text, { path, hint: '', sealedFrom: 1 }) as ExtentsFile;
    return file.extents;
  } catch (error) {
    if (error instanceof DataDirectoryError) return [];
    throw error;
  }
}
