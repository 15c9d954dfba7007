const POINT = /^POINT\s*\(([+-]?[\d.]+)\s+([+-]?[\d.]+)\)$/i;

/** Why points in well-known text cannot be those of a map; undefined if they can, or are none. */
export function projectedPoints(texts: readonly string[]): string | undefined {
  const points = texts.map((text) => POINT.exec(text.trim()));
  if (points.some((point) => point === null)) return undefined;
  const far = points.find(
    (point) => Math.abs(Number(point?.[1])) > 180 || Math.abs(Number(point?.[2])) > 90,
  );
  if (far === undefined) return undefined;
  return `Points that are not in degrees: '${far?.[0]}'. They are read as text, so the places are on no map. Convert them to longitude and latitude in WGS 84, for example with ogr2ogr -t_srs EPSG:4326.`;
}
