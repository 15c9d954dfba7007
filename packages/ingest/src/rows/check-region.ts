import type { Dataset } from '@locmetrics/core/domain/dataset';
import { type Amount, amountText, isWithin } from '../manifest/acceptance.ts';
import type { Region } from '../manifest/point-source.ts';
import { PublishError } from '../problems/publish-error.ts';
import type { ComputedFields } from './computed-fields.ts';
import { countPoints, type LocatedRows, listPoints } from './find-points.ts';
import { shareText } from './share-text.ts';

/**
 * Tells of points outside the declared region, and of those that would be inside with latitude and longitude exchanged.
 * Throws a `PublishError` if most are exchanged, or if more are outside than the manifest accepts.
 */
export async function checkRegion(
  rows: LocatedRows,
  {
    dataset,
    region,
    idFunctions,
    accepted,
    pointCount,
  }: {
    readonly dataset: Dataset;
    readonly region: Region;
    readonly idFunctions: ComputedFields['idFunctions'];
    readonly accepted: Amount | undefined;
    readonly pointCount: number;
  },
): Promise<readonly string[]> {
  const { latitude, longitude } = rows;
  const outside = `${latitude} IS NOT NULL AND NOT ${isInside(region, { latitude, longitude, idFunctions })}`;
  const exchanged = `${outside} AND ${longitude} BETWEEN -90 AND 90
    AND ${isInside(region, { latitude: longitude, longitude: latitude, idFunctions })}`;
  const [count = 0, exchangedCount = 0] = await countPoints(rows, [outside, exchanged]);
  if (count === 0) return [];
  const isPlural = (number: number) => number !== 1;
  const outsideText = `${shareText(count, pointCount, 'points')} ${isPlural(count) ? 'lie' : 'lies'} outside ${regionText(region)}: ${await listPoints(rows, { condition: outside, count })}.`;
  const exchangedText =
    exchangedCount === 0
      ? []
      : [
          `${shareText(exchangedCount, pointCount, 'points')} ${isPlural(exchangedCount) ? 'are' : 'is'} outside, but would be inside with latitude and longitude swapped: ${await listPoints(rows, { condition: exchanged, count: exchangedCount })}.`,
        ];
  const sentences = [outsideText, ...exchangedText];
  if (exchangedCount * 2 > pointCount) {
    const names = dataset.point === undefined ? [] : Object.values(dataset.point);
    throw new PublishError(
      [`Latitude and longitude of ${dataset.name} are swapped.`, ...sentences].join('\n'),
      `Swap the columns of the fields ${names.join(' and ')}, or correct the region of the point.`,
    );
  }
  if (accepted !== undefined && !isWithin(count, accepted, pointCount)) {
    throw new PublishError(
      [
        `${dataset.name} has more points outside its region than the manifest accepts (accept.outside_region: ${amountText(accepted)}).`,
        ...sentences,
      ].join('\n'),
      'Correct the rows or the region, leave the rows out with a step (rows: where), or accept more.',
    );
  }
  return sentences;
}

function isInside(
  region: Region,
  {
    latitude,
    longitude,
    idFunctions,
  }: {
    readonly latitude: string;
    readonly longitude: string;
    readonly idFunctions: ComputedFields['idFunctions'];
  },
): string {
  if (region.kind === 'area') {
    return `(${idFunctions.get(region.area)}(${latitude}, ${longitude}) IS NOT NULL)`;
  }
  const { south, west, north, east } = region;
  // A region whose west is greater than its east crosses the antimeridian.
  const between =
    west <= east
      ? `${longitude} BETWEEN ${west} AND ${east}`
      : `(${longitude} >= ${west} OR ${longitude} <= ${east})`;
  return `(${latitude} BETWEEN ${south} AND ${north} AND ${between})`;
}

function regionText(region: Region): string {
  if (region.kind === 'area') return `the areas of ${region.area}`;
  const { south, west, north, east } = region;
  return `the region from ${south} to ${north} degrees north and from ${west} to ${east} degrees east`;
}
