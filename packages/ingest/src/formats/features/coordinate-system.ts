import type { Position } from './outline.ts';

/** Converts positions of a file to degrees of WGS 84. */
export type ToDegrees = {
  readonly convert: (position: Position) => Position;
  /** Whether positions are degrees already. */
  readonly isDegrees: boolean;
};

/**
 * The conversion from a coordinate system, declared as WKT 1 as in a .prj. Undefined if it is not known to be right:
 * every datum and projection here was compared with PROJ. A wrong one would move points by hundreds of metres in silence.
 */
export async function toDegrees(wkt: string): Promise<ToDegrees | undefined> {
  const isProjected = /^\s*PROJCS\s*\[/i.test(wkt);
  if (!isProjected && !/^\s*GEOGCS\s*\[/i.test(wkt)) return undefined;
  const datum = plainName(partOf(wkt, 'DATUM'));
  const projection = plainName(partOf(wkt, 'PROJECTION'));
  const isShifted = SHIFTED_DATUMS.has(datum);
  if (!isShifted && !GEOCENTRIC_DATUMS.test(datum)) return undefined;
  if (!/PRIMEM\s*\[\s*"[^"]*"\s*,\s*[-+]?0(\.0*)?\s*[\],]/i.test(wkt)) return undefined;
  if (!isProjected && !isShifted) {
    const isDegrees = /UNIT\s*\[\s*"[^"]*"\s*,\s*0?\.01745329/i.test(wkt);
    return isDegrees ? { convert: (position) => position, isDegrees: true } : undefined;
  }
  if (isProjected && !PROJECTIONS.has(projection)) return undefined;
  if (projection === OBLIQUE_MERCATOR && !datum.startsWith('ch1903')) return undefined;
  const { default: proj4 } = await import('proj4');
  const converter = proj4(wkt, 'WGS84');
  return {
    convert: ([x, y]) => {
      const [longitude = Number.NaN, latitude = Number.NaN] = converter.forward([x, y]);
      return [longitude, latitude];
    },
    isDegrees: !isProjected,
  };
}

/** The name of a coordinate system, for messages. */
export function coordinateSystemName(wkt: string): string {
  const [, name] = /^\s*[A-Z]+\s*\[\s*"([^"]*)"/i.exec(wkt) ?? [];
  return name ?? wkt.trim().slice(0, 60);
}

function partOf(wkt: string, part: string): string {
  return new RegExp(`\\b${part}\\s*\\[\\s*"([^"]*)"`, 'i').exec(wkt)?.[1] ?? '';
}

/** Writers spell names differently: D_North_American_1983, North_American_Datum_1983. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/^d_/, '')
    .replaceAll(/[^a-z0-9+]+/g, '_')
    .replace(/_$/, '');
}

/** The datums of satellites, which differ from WGS 84 by less than two metres. */
const GEOCENTRIC_DATUMS = new RegExp(
  `^(${[
    'wgs_?(19)?84(_.*)?',
    'world_geodetic_system_1984(_.*)?',
    'north_american(_datum)?_1983(_.*)?',
    'nad_?(19)?83_.*',
    '(north_american_1983_)?csrs(_.*)?',
    '(european_terrestrial_reference_system|etrs)_?(19)?89(_.*)?',
    'european_terrestrial_reference_system_1989_ensemble',
    'etrf2000_poland',
    '(reseau_geodesique_francais|rgf)_?(19)?93(_v[0-9].*)?',
    'sweref_?99',
    'croatian_terrestrial_reference_system',
    '(geocentric_datum_of_australia|gda)_?(1994|2020|94)',
    '(new_zealand_geodetic_datum|nzgd)_?2000',
    '(japanese_geodetic_datum|jgd)_?(2000|2011)',
    'sirgas_2000',
    'sistema_de_referencia_geocentrico_para_las_americas_2000',
  ].join('|')})$`,
);

/** Older datums whose parameters the library knows. */
const SHIFTED_DATUMS: ReadonlySet<string> = new Set([
  'osgb_1936',
  'ordnance_survey_of_great_britain_1936',
  'ch1903',
  'ch1903+',
  'tm65',
]);

const OBLIQUE_MERCATOR = 'hotine_oblique_mercator_azimuth_center';

const PROJECTIONS: ReadonlySet<string> = new Set([
  'transverse_mercator',
  'mercator_auxiliary_sphere',
  'mercator_1sp',
  'mercator',
  'lambert_conformal_conic',
  'lambert_conformal_conic_1sp',
  'lambert_conformal_conic_2sp',
  'albers',
  'albers_conic_equal_area',
  'lambert_azimuthal_equal_area',
  OBLIQUE_MERCATOR,
]);
