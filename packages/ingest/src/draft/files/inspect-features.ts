import type { NeededGeometry } from '../../formats/features/feature-lines.ts';
import { listLayers } from '../../formats/features/geopackage-text.ts';
import { openFeatures, unpackGeoPackage } from '../../formats/features/open-features.ts';
import { listShapefiles } from '../../formats/features/shapefile-text.ts';
import type { ScanLimits } from '../../formats/scan-source-file.ts';
import type { SourceFile } from '../../formats/source-file.ts';
import {
  UnreadableEncoding,
  UnreadableSystem,
  UnreadableText,
} from '../../formats/unreadable-text.ts';
import { type FileReading, PLAIN_READING } from '../../manifest/manifest.ts';
import type { Encoding } from '../../manifest/read-schema.ts';

const POINT: NeededGeometry = { point: true, outline: false };
const NO_GEOMETRY: NeededGeometry = { point: false, outline: false };

/** How a shapefile or a GeoPackage has to be read, as it seems. */
export type InspectedFeatures = {
  readonly reading: FileReading;
  /** The other shapefiles of the archive, or layers of the GeoPackage. */
  readonly others: readonly string[];
  /** A doubt about the encoding of a shapefile. */
  readonly encodingDoubt: string | undefined;
  /** Why the points cannot be read; undefined if they can. */
  readonly pointProblem: string | undefined;
};

type Options = {
  readonly format: 'shapefile' | 'geopackage';
  readonly limits: ScanLimits;
  /** The folder for copies. */
  readonly folder: string;
};

export async function inspectFeatures(
  file: SourceFile,
  options: Options,
): Promise<InspectedFeatures> {
  const { format, limits } = options;
  const [member, ...others] =
    format === 'shapefile'
      ? await listShapefiles(file.path, limits)
      : await listLayers(await unpackGeoPackage(file, options));
  const named = others.length === 0 ? PLAIN_READING : { ...PLAIN_READING, member };
  const isDegrees = await haveOnlyDegrees(file, { ...options, reading: named });
  const reading: FileReading = isDegrees ? { ...named, coordinates: 'degrees' } : named;
  const pointProblem = await findPointProblem(file, { ...options, reading });
  const { encoding, doubt } =
    format === 'shapefile'
      ? await findEncoding(file, { ...options, reading })
      : { encoding: undefined, doubt: undefined };
  return { reading: { ...reading, encoding }, others, encodingDoubt: doubt, pointProblem };
}

type ReadOptions = Options & { readonly reading: FileReading };

/** Whether a file that does not name its coordinate system has longitudes and latitudes, as it seems. */
async function haveOnlyDegrees(
  file: SourceFile,
  { reading, ...options }: ReadOptions,
): Promise<boolean> {
  const plain: FileReading = { ...reading, encoding: 'windows-1252' };
  try {
    const features = await openFeatures(file, { ...options, reading: plain, needs: POINT });
    features.close();
    return false;
  } catch (error) {
    if (!(error instanceof UnreadableSystem)) return false;
  }
  const degrees: FileReading = { ...plain, coordinates: 'degrees' };
  const features = await openFeatures(file, { ...options, reading: degrees, needs: POINT });
  let count = 0;
  let others = 0;
  try {
    for await (const line of features.text) {
      file.stop?.throwIfAborted();
      const [, longitude, latitude] = POINT_OF_LINE.exec(line.toString('utf8')) ?? [];
      if (longitude === undefined) continue;
      const isWithin = Math.abs(Number(longitude)) <= 180 && Math.abs(Number(latitude)) <= 90;
      // A stream of an archive that is not read to its end never closes.
      if (!isWithin) others += 1;
      count += 1;
    }
  } finally {
    features.close();
  }
  return count > 0 && others === 0;
}

const POINT_OF_LINE = /"geometry":\{"type":"Point","coordinates":\[([^,\]]+),([^,\]]+)\]\}/;

async function findPointProblem(
  file: SourceFile,
  options: ReadOptions,
): Promise<string | undefined> {
  // The encoding is another question.
  const reading: FileReading = { ...options.reading, encoding: 'windows-1252' };
  try {
    const features = await openFeatures(file, { ...options, reading, needs: POINT });
    features.close();
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error;
    const { value, reason, hint = '' } = error.problem;
    const problem = value === undefined ? `The file ${reason}.` : `'${value}' ${reason}.`;
    // Another problem than that of the points is there without them too.
    const isOther = await openFeatures(file, { ...options, reading, needs: NO_GEOMETRY }).then(
      (features) => features.close(),
      () => true,
    );
    if (isOther === true) throw error;
    return `${problem} ${hint}`;
  }
}

type FoundEncoding = {
  readonly encoding: Encoding | undefined;
  readonly doubt: string | undefined;
};

/** The encoding in which all texts can be read; undefined for that of the .cpg, or for ASCII. */
async function findEncoding(file: SourceFile, options: ReadOptions): Promise<FoundEncoding> {
  let problem: UnreadableText['problem'] | undefined;
  for (const encoding of ENCODINGS) {
    const found = await findUnreadable(file, { ...options, encoding });
    if (found === undefined)
      return { encoding, doubt: problem && encodingDoubt(encoding, problem) };
    problem ??= found;
  }
  throw new UnreadableText(problem ?? { reason: 'has no known encoding' });
}

const ENCODINGS: readonly (Encoding | undefined)[] = [undefined, 'utf-8', 'windows-1252'];

function encodingDoubt(
  encoding: Encoding | undefined,
  { value = '', reason }: UnreadableText['problem'],
): string | undefined {
  if (encoding === 'utf-8') return undefined;
  return `'${value}' ${reason}. Check that names with accents are correct.`;
}

async function findUnreadable(
  file: SourceFile,
  { encoding, ...options }: ReadOptions & { readonly encoding: Encoding | undefined },
): Promise<UnreadableText['problem'] | undefined> {
  try {
    const reading = { ...options.reading, encoding };
    const features = await openFeatures(file, { ...options, reading, needs: NO_GEOMETRY });
    try {
      for await (const _ of features.text) file.stop?.throwIfAborted();
    } finally {
      features.close();
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof UnreadableEncoding)) throw error;
    return error.problem;
  }
}
