import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FileReading } from '../../manifest/manifest.ts';
import type { ScanLimits } from '../scan-source-file.ts';
import type { SourceFile } from '../source-file.ts';
import { openZipMember } from '../zip-member.ts';
import type { NeededGeometry } from './feature-lines.ts';
import { openGeoPackage } from './geopackage-text.ts';
import { type FeatureText, openShapefile } from './shapefile-text.ts';

/** Opens a shapefile in a zip archive, or a layer of a GeoPackage. */
export async function openFeatures(
  file: SourceFile,
  {
    format,
    reading,
    needs,
    ...options
  }: UnpackOptions & {
    readonly format: 'shapefile' | 'geopackage';
    readonly reading: FileReading;
    readonly needs: NeededGeometry;
  },
): Promise<FeatureText> {
  const { limits } = options;
  const { onRead } = file;
  if (format === 'shapefile') return openShapefile(file.path, { reading, needs, limits, onRead });
  const path = await unpackGeoPackage(file, options);
  return openGeoPackage(path, {
    layer: reading.member,
    needs,
    onRead: file.isZip ? onRead && ((fraction) => onRead((1 + fraction) / 2)) : onRead,
  });
}

type UnpackOptions = {
  readonly limits: ScanLimits;
  /** The folder of copies, created when it is needed. */
  readonly folder: string;
};

/** The path of a GeoPackage outside of a zip archive, because SQLite reads files only. */
export async function unpackGeoPackage(
  file: SourceFile,
  { limits, folder }: UnpackOptions,
): Promise<string> {
  if (!file.isZip) return file.path;
  const { onRead } = file;
  const halved = onRead && ((fraction: number) => onRead(fraction / 2));
  const watched = { ...limits, onRead: halved };
  const member = await openZipMember(file.path, undefined, watched, /\.gpkg$/i);
  try {
    await mkdir(folder, { recursive: true });
    const path = join(folder, randomUUID());
    await pipeline(Readable.from(member.bytes(), { objectMode: true }), createWriteStream(path));
    return path;
  } finally {
    member.close();
  }
}
