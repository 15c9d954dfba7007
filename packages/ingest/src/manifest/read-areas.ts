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
        `'${file}' is an address, and boundaries are read from this machine only.`,
        'Download the file, and write the path of the copy.',
      );
    }
    known.set(name, { name, file: resolve(folder, file), object, id, nameProperty });
  }
  for (const name of SHIPPED_AREAS) {
    if (known.has(name)) {
      report.at('areas', name)(
        `The boundaries '${name}' are part of Locmetrics.`,
        'Choose another name.',
      );
    }
    known.set(name, { name });
  }
  return known;
}
