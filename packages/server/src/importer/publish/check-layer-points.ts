import type { DatasetVersion } from '../../domain/version.ts';
import { findWrongPoints } from '../../storage/duckdb/publish/check-records.ts';
import type { VersionReader } from '../../storage/duckdb/publish/open-version-reader.ts';
import { PublishError } from '../problems/publish-error.ts';
import { recordsHave, shownKey } from '../problems/record-words.ts';

/** Refuses features with an invalid point. The points of datasets were checked with their rows. */
export async function checkLayerPoints(
  published: readonly DatasetVersion[],
  reader: VersionReader,
): Promise<void> {
  const problems: string[] = [];
  for (const version of published) {
    const { name, key, point: checked } = version.dataset;
    for (const { id, point } of version.layers) {
      if (point === undefined) continue;
      const { latitude, longitude } = point;
      if (latitude === checked?.latitude && longitude === checked.longitude) continue;
      const { count, example } = await findWrongPoints(await reader.attach(version), point, key);
      if (count === 0) continue;
      problems.push(
        `The layer '${id}': in ${name} ${recordsHave(count)} half a point in ${latitude} and ${longitude}, or one that is not on the earth, for example ${shownKey(key, example)}.`,
      );
    }
  }
  if (problems.length === 0) return;
  throw new PublishError(
    problems.join('\n'),
    'A latitude is between -90 and 90, a longitude between -180 and 180; a feature without a point has neither.',
  );
}
