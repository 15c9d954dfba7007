import { expect, test } from 'vitest';
import { draftOfFiles } from './draft-of-files.ts';

/** Values of places by month, beside what is the same in each month. */
function visits(columns: string, values: (place: number) => string): string {
  const rows = ['2024-01', '2024-02'].flatMap((month, index) =>
    [1, 2, 3].map((place) => `p${place},${values(place)},${month},${10 * place + index}`),
  );
  return `place_id,${columns},month,visits\n${rows.join('\n')}\n`;
}

test('a count that a place always has is added up in the places, and the metric stays', async () => {
  const { text, metrics } = await draftOfFiles({
    'visits.csv': visits(
      'name,lat,lon,staff',
      (place) => `Place ${place},4${place}.5,-9${place},7`,
    ),
  });
  expect(text).toContain('staff: { type: integer, additive: all }');
  expect(text).not.toContain('left out');
  expect(metrics).toHaveLength(1);
});
