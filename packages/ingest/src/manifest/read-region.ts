import type { Dataset } from '@locmetrics/core/domain/dataset';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { ReadContext } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import type { Region } from './point-source.ts';

/** The fields of a point, without its region. */
export function pointFields({
  latitude,
  longitude,
}: NonNullable<Dataset['point']>): NonNullable<Dataset['point']> {
  return { latitude, longitude };
}

/** The region that the points of a dataset are declared to lie in. */
export function readRegion(
  { point }: DatasetDocument,
  { areas, report }: ReadContext,
): Region | undefined {
  const region = point?.region;
  if (region === undefined) return undefined;
  const reportRegion = report.at('point', 'region');
  if (typeof region === 'string') {
    if (!areas.has(region)) {
      reportRegion(
        `There are no boundaries '${region}'.`,
        nameHint(region, [...areas.keys()].toSorted()),
      );
    }
    return { kind: 'area', area: region };
  }
  if (region.south > region.north) {
    reportRegion(
      `The south edge, ${region.south}, is north of the north edge, ${region.north}.`,
      'Swap them.',
    );
  }
  return { kind: 'box', ...region };
}
