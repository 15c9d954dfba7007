import type { Dataset } from '../domain/dataset.ts';
import { nameHint } from '../domain/nearest-name.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import type { Boundaries, Region } from './point-source.ts';

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
  {
    areas,
    at,
    report,
  }: {
    readonly areas: ReadonlyMap<string, Boundaries>;
    readonly at: readonly string[];
    readonly report: Report;
  },
): Region | undefined {
  const region = point?.region;
  if (region === undefined) return undefined;
  const place = [...at, 'point', 'region'];
  if (typeof region === 'string') {
    if (!areas.has(region)) {
      report(
        place,
        `There are no boundaries '${region}'.`,
        nameHint(region, [...areas.keys()].toSorted()),
      );
    }
    return { kind: 'area', area: region };
  }
  if (region.south > region.north) {
    report(
      place,
      `The south, ${region.south}, is north of the north, ${region.north}.`,
      'Exchange them.',
    );
  }
  return { kind: 'box', ...region };
}
