import { type RowFormat, replaceLines } from '../row-format.ts';
import { geojsonFormat, openGeojson } from './geojson-format.ts';

/** Shapefiles and GeoPackages. They were copied as a Feature on each line, whose numbers are those of the features. */
export const featureFormat: RowFormat = {
  ...geojsonFormat,
  open: async (context) =>
    replaceLines(
      await openGeojson(context, { hasLines: true, outlineMember: 'outline' }),
      (line) => ({ feature: line }),
    ),
};
