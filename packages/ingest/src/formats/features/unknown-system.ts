import { UnreadableText } from '../unreadable-text.ts';
import type { ToDegrees } from './coordinate-system.ts';

/** For files whose points no field uses. */
export const NO_CONVERSION: ToDegrees = { convert: (position) => position, isDegrees: false };

/** A coordinate system that is not converted, because the result is not known to be right. */
export function unknownSystem(name: string): UnreadableText {
  return new UnreadableText({
    value: name,
    reason: 'is its coordinate system, whose points cannot be converted',
    hint: 'Convert it to WGS 84, for example with ogr2ogr -t_srs EPSG:4326, or leave out the fields of $longitude, $latitude and $outline.',
  });
}
