import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { Entry } from 'yauzl';
import type { FileReading } from '../../manifest/manifest.ts';
import type { SourceFile } from '../source-file.ts';
import { UnreadableEncoding, UnreadableSystem, UnreadableText } from '../unreadable-text.ts';
import { openZipArchive, type ZipArchive } from '../zip-archive.ts';
import { coordinateSystemName, type ToDegrees, toDegrees } from './coordinate-system.ts';
import { encodingOfCpg, openDbase } from './dbase-records.ts';
import { featureLine, type NeededGeometry } from './feature-lines.ts';
import { readShapes } from './shape-records.ts';
import { NO_CONVERSION, unknownSystem } from './unknown-system.ts';

/** The features of a shapefile in a zip archive, as lines of GeoJSON, in bounded memory. */
export type FeatureText = {
  readonly text: AsyncGenerator<Buffer>;
  /** Once the text was read. */
  readonly notices: () => readonly string[];
  readonly close: () => void;
};

export async function openShapefile(
  path: string,
  {
    reading,
    needs,
    limits,
    onRead,
  }: {
    readonly reading: FileReading;
    readonly needs: NeededGeometry;
    readonly limits: { readonly unpackedBytesMax: number };
    readonly onRead?: SourceFile['onRead'];
  },
): Promise<FeatureText> {
  const archive = await openZipArchive(path, limits);
  try {
    const shapes = chooseShapefile(archive.entries, reading.member);
    const part = (suffix: string) => findPart(archive.entries, shapes, suffix);
    const conversion = await conversionOf(
      await readSmall(archive, part('prj')),
      reading.coordinates,
      needs,
    );
    const table = part('dbf');
    if (table === undefined) {
      throw new UnreadableText({
        reason: `has ${shapes.fileName}, but no .dbf beside it`,
        hint: 'Its columns are in the .dbf: put it into the archive.',
      });
    }
    const encoding = encodingOf(await readSmall(archive, part('cpg')), reading);
    const leftOut: string[] = [];
    return {
      text: readFeatures({
        archive,
        shapes,
        table,
        encoding,
        conversion,
        needsOutline: needs.outline,
        leftOut,
        onRead,
      }),
      notices: () =>
        leftOut.length === 0
          ? []
          : [`These columns of ${table.fileName} have an unsupported type: ${leftOut.join(', ')}.`],
      close: archive.close,
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function* readFeatures({
  archive,
  shapes,
  table,
  encoding,
  conversion,
  needsOutline,
  leftOut,
  onRead,
}: {
  readonly archive: ZipArchive;
  readonly shapes: Entry;
  readonly table: Entry;
  readonly encoding: string | undefined;
  readonly conversion: ToDegrees;
  readonly needsOutline: boolean;
  readonly leftOut: string[];
  readonly onRead: SourceFile['onRead'];
}): AsyncGenerator<Buffer> {
  const dbase = await openDbase(archive.read(table), encoding);
  const geometries = readShapes(archive.read(shapes, onRead));
  leftOut.push(...dbase.leftOut);
  try {
    let number = 0;
    for await (const geometry of geometries) {
      number += 1;
      const { value: row, done } = await dbase.rows.next();
      if (done === true) throw unequal(shapes, 'more');
      // A deleted row stays in both files, and its feature keeps its number here as a blank line.
      if (row === undefined) {
        yield Buffer.from('\n');
        continue;
      }
      const properties = dbase.columns.map((name, index) => [name, row[index] ?? 'null'] as const);
      const id = String(number);
      yield Buffer.from(
        featureLine({ id, geometry, toDegrees: conversion, needsOutline, properties }),
      );
    }
    if ((await dbase.rows.next()).done !== true) throw unequal(shapes, 'fewer');
  } finally {
    await geometries.return(undefined);
    await dbase.close();
  }
}

function unequal({ fileName }: Entry, how: string): UnreadableText {
  return new UnreadableText({
    reason: `has ${how} features in ${fileName} than rows in the .dbf`,
    hint: 'One of them was cut short or belongs to another shapefile: download or write it again.',
  });
}

/** The shapefiles of a zip archive, the largest first. */
export async function listShapefiles(
  path: string,
  limits: { readonly unpackedBytesMax: number },
): Promise<readonly string[]> {
  const { entries, close } = await openZipArchive(path, limits);
  close();
  return shapefilesOf(entries)
    .toSorted((left, right) => right.uncompressedSize - left.uncompressedSize)
    .map(({ fileName }) => fileName);
}

function shapefilesOf(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ fileName }) => /\.shp$/i.test(fileName));
}

function chooseShapefile(entries: readonly Entry[], member: string | undefined): Entry {
  const shapefiles = shapefilesOf(entries);
  const names = shapefiles.map(({ fileName }) => fileName);
  const wanted = member?.toLowerCase();
  const found =
    wanted === undefined && shapefiles.length === 1
      ? shapefiles[0]
      : shapefiles.find(({ fileName }) =>
          [wanted, `${wanted}.shp`].includes(fileName.toLowerCase()),
        );
  if (found === undefined) {
    throw new UnreadableText({
      reason:
        member === undefined || names.length === 0
          ? `is a zip archive with ${names.length === 0 ? 'no shapefile' : `${names.length} shapefiles`}`
          : `is a zip archive without the shapefile ${member}`,
      hint:
        names.length === 0
          ? 'A shapefile is a .shp with its .dbf, .prj and .cpg. Correct the file or its format.'
          : member === undefined
            ? `Choose one: read: { member: ${names[0]} }. The file has ${names.join(', ')}.`
            : nameHint(member, names),
    });
  }
  if (found.isEncrypted()) {
    throw new UnreadableText({
      reason: 'is a zip archive with a password',
      hint: 'Unpack it, and pack it again without a password.',
    });
  }
  return found;
}

function findPart(
  entries: readonly Entry[],
  { fileName }: Entry,
  suffix: string,
): Entry | undefined {
  const wanted = fileName.replace(/shp$/i, suffix).toLowerCase();
  return entries.find((entry) => entry.fileName.toLowerCase() === wanted);
}

async function readSmall(
  archive: ZipArchive,
  entry: Entry | undefined,
): Promise<string | undefined> {
  if (entry === undefined) return undefined;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of archive.read(entry)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > SMALL_BYTES_MAX) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

const SMALL_BYTES_MAX = 100_000;

async function conversionOf(
  own: string | undefined,
  declared: string | undefined,
  needs: NeededGeometry,
): Promise<ToDegrees> {
  if (own !== undefined && declared !== undefined) {
    throw new UnreadableText({
      value: coordinateSystemName(own),
      reason: 'is the coordinate system in its .prj, but read: { coordinates } declares another',
      hint: 'Leave out read: { coordinates }.',
    });
  }
  if (declared === 'degrees') return { convert: (position) => position, isDegrees: true };
  const wkt = own ?? declared;
  const conversion = wkt === undefined ? undefined : await toDegrees(wkt);
  const isNeeded = needs.point || needs.outline;
  if (conversion !== undefined || !isNeeded) return conversion ?? NO_CONVERSION;
  if (wkt !== undefined) throw unknownSystem(coordinateSystemName(wkt));
  throw new UnreadableSystem({
    reason: 'has no .prj, so the coordinate system of its points is unknown',
    hint: 'If they are longitudes and latitudes, declare read: { coordinates: degrees }; else put the .prj into the archive, or leave out the fields of $longitude, $latitude and $outline.',
  });
}

/** The declared encoding, or that of the .cpg. */
function encodingOf(cpg: string | undefined, { encoding }: FileReading): string | undefined {
  if (encoding !== undefined) return encoding;
  if (cpg === undefined) return undefined;
  const found = encodingOfCpg(cpg);
  if (found !== undefined) return found;
  throw new UnreadableEncoding({
    value: cpg.trim(),
    reason: 'is the encoding in its .cpg, but no such encoding is known',
    hint: 'Declare it: read: { encoding: utf-8 } or windows-1252.',
  });
}
