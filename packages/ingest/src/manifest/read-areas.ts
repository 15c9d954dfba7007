import { resolve } from 'node:path';
import type { Report } from './manifest-report.ts';
import type { ManifestDocument } from './manifest-schema.ts';
import { type Boundaries, SHIPPED_AREAS } from './point-source.ts';
import { isAddress } from './source-address.ts';

/** All boundaries that fields and regions can name. */
export function readAreas(
  { areas = {} }: ManifestDocument,
  folder: string,
  report: Report,
): ReadonlyMap<string, Boundaries> {
  const known = new Map<string, Boundaries>();
  for (const [name, { file, object, id, name: nameProperty }] of Object.entries(areas)) {
    if (isAddress(file)) {
      report.at(
        'areas',
        name,
        'file',
      )(
        `'${file}' is a URL, but boundaries are read only from this machine.`,
        'Download the file, and name the copy in the manifest.',
      );
    }
    known.set(name, { name, file: resolve(folder, file), object, id, nameProperty });
  }
  for (const name of SHIPPED_AREAS) {
    if (known.has(name)) {
      report.at('areas', name)(
        `'${name}' is the name of built-in boundaries.`,
        'Choose another name.',
      );
    }
    known.set(name, { name });
  }
  return known;
}
