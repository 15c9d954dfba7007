import { readFile } from 'node:fs/promises';
import { toDegrees } from '@locmetrics/ingest/formats/features/coordinate-system';
import { expect, test } from 'vitest';

type Sample = {
  readonly name: string;
  readonly wkt: string;
  readonly position: readonly [number, number];
  /** By PROJ. */
  readonly degrees: readonly [number, number];
};

test('positions are converted as PROJ does, within two metres, or not at all', async () => {
  const file = new URL('../../fixtures/geo/coordinate-systems.json', import.meta.url);
  // The file is ours, and has these members.
  const samples = JSON.parse(await readFile(file, 'utf8')) as readonly Sample[];
  const wrong: string[] = [];
  const refused: string[] = [];
  for (const { name, wkt, position, degrees } of samples) {
    const conversion = await toDegrees(wkt);
    if (conversion === undefined) {
      refused.push(name);
      continue;
    }
    const [longitude, latitude] = conversion.convert(position);
    const north = latitude - degrees[1];
    const east = (longitude - degrees[0]) * Math.cos((degrees[1] / 180) * Math.PI);
    const metres = Math.hypot(north, east) * 111_195;
    if (!(metres < 2)) wrong.push(`${name}: ${metres} m`);
  }
  expect(wrong).toEqual([]);
  expect(samples.length - refused.length).toMatchInlineSnapshot(`46`);
  expect(refused).toMatchInlineSnapshot(`
    [
      "NAD27 (ESRI)",
      "Amersfoort / RD New (ESRI)",
      "NAD27 / UTM zone 10N (ESRI)",
      "NAD27 / UTM zone 10N (OGC)",
      "DHDN / 3-degree Gauss-Kruger zone 3 (ESRI)",
      "S-JTSK / Krovak East North (ESRI)",
      "S-JTSK / Krovak East North (OGC)",
      "World_Mollweide (ESRI)",
      "WGS 84 / Antarctic Polar Stereographic (ESRI)",
      "WGS 84 / NSIDC Sea Ice Polar Stereographic North (ESRI)",
      "ED50 / UTM zone 30N (ESRI)",
      "BD72 / Belgian Lambert 72 (ESRI)",
      "GGRS87 / Greek Grid (ESRI)",
      "GGRS87 / Greek Grid (OGC)",
      "NTF (Paris) / Lambert zone II (ESRI)",
    ]
  `);
});
