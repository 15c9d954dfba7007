import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { SourceFile } from '../source-file.ts';
import { UnreadableText } from '../unreadable-text.ts';
import { coordinateSystemName, type ToDegrees, toDegrees } from './coordinate-system.ts';
import { featureLine, type NeededGeometry } from './feature-lines.ts';
import { readGeoPackageGeometry } from './read-wkb.ts';
import type { FeatureText } from './shapefile-text.ts';
import { NO_CONVERSION, unknownSystem } from './unknown-system.ts';

/** The features of a layer of a GeoPackage, as lines of GeoJSON, in bounded memory. */
export async function openGeoPackage(
  path: string,
  {
    layer: wanted,
    needs,
    onRead,
  }: {
    /** Absent: the only one. */
    readonly layer: string | undefined;
    readonly needs: NeededGeometry;
    readonly onRead?: SourceFile['onRead'];
  },
): Promise<FeatureText> {
  const database = await openDatabase(path);
  const close = () => database.close();
  try {
    const layer = await refused(() => chooseLayer(database, wanted));
    const geometry = await refused(() => findGeometry(database, layer));
    const conversion = geometry === undefined ? NO_CONVERSION : await conversionOf(geometry, needs);
    const columns = await refused(() => listColumns(database, layer));
    return {
      text: readFeatures({
        database,
        layer,
        columns,
        geometry: geometry?.column,
        conversion,
        needsOutline: needs.outline,
        onRead,
      }),
      notices: () => [],
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** The layers of a GeoPackage: those with geometries first, and of these the one with the most features. */
export async function listLayers(path: string): Promise<readonly string[]> {
  const database = await openDatabase(path);
  try {
    return await refused(() =>
      layersOf(database)
        .map((layer) => ({ ...layer, count: countFeatures(database, layer.name) }))
        .toSorted((left, right) => right.count - left.count)
        .toSorted((left, right) => Number(right.hasFeatures) - Number(left.hasFeatures))
        .map(({ name }) => name),
    );
  } finally {
    database.close();
  }
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  refuseUnfinished(path);
  // Another process may not write into a file that is read as immutable; SQLite then makes no file beside it.
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  return refused(() => new DatabaseSync(location, { readOnly: true }));
}

/** Changes beside the file would be missed. */
function refuseUnfinished(path: string): void {
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) return;
  throw new UnreadableText({
    reason: 'is open in another program, which has changes that are not in the file yet (-wal)',
    hint: 'Close the file there, and publish again.',
  });
}

async function refused<Result>(read: () => Result): Promise<Result> {
  try {
    return read();
  } catch (error) {
    throw explainSqlite(error);
  }
}

function explainSqlite(error: unknown): unknown {
  const isSqlite = error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
  if (!isSqlite) return error;
  return new UnreadableText({
    reason: `cannot be read as a GeoPackage (${error.message})`,
    hint: 'It was cut short or damaged, or is another SQLite database: download or write it again.',
  });
}

type Layer = { readonly name: string; readonly hasFeatures: boolean };

function layersOf(database: DatabaseSync): readonly Layer[] {
  const listed = database.prepare(
    `SELECT table_name AS name, data_type AS type FROM gpkg_contents
      WHERE data_type IN ('features', 'attributes') ORDER BY data_type DESC, table_name`,
  );
  return listed.all().map(({ name, type }) => ({
    name: String(name),
    hasFeatures: type === 'features',
  }));
}

function countFeatures(database: DatabaseSync, layer: string): number {
  const counted = database.prepare(`SELECT count(*) AS count FROM ${quoted(layer)}`);
  return Number(counted.get()?.['count']);
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function chooseLayer(database: DatabaseSync, wanted: string | undefined): string {
  const layers = layersOf(database);
  const names = layers.map(({ name }) => name);
  const features = layers.filter(({ hasFeatures }) => hasFeatures);
  const only = features.length === 1 ? features[0] : layers.length === 1 ? layers[0] : undefined;
  const layer = wanted === undefined ? only : layers.find(({ name }) => name === wanted);
  if (layer !== undefined) return layer.name;
  throw new UnreadableText({
    reason:
      wanted === undefined
        ? `is a GeoPackage of ${names.length} layers`
        : `has no layer '${wanted}'`,
    hint:
      wanted === undefined && names.length > 0
        ? `Choose one: read: { member: ${names[0]} }. The file has ${names.join(', ')}.`
        : nameHint(wanted ?? '', names),
  });
}

type GeometryColumn = {
  readonly column: string;
  readonly systemName: string;
  /** Undefined for a system that the file does not define. */
  readonly wkt: string | undefined;
};

function findGeometry(database: DatabaseSync, layer: string): GeometryColumn | undefined {
  const found = database.prepare(
    `SELECT column_name AS "column", srs_name AS system, definition AS wkt, columns.srs_id AS id
      FROM gpkg_geometry_columns AS columns LEFT JOIN gpkg_spatial_ref_sys AS systems
      ON systems.srs_id = columns.srs_id WHERE table_name = ?`,
  );
  const row = found.get(layer);
  if (row === undefined) return undefined;
  const { column, system, wkt, id } = row;
  const isDefined = typeof wkt === 'string' && wkt !== 'undefined';
  return {
    column: String(column),
    systemName: isDefined ? coordinateSystemName(wkt) : String(system ?? `srs_id ${id}`),
    wkt: isDefined ? wkt : undefined,
  };
}

async function conversionOf(
  { systemName, wkt }: GeometryColumn,
  needs: NeededGeometry,
): Promise<ToDegrees> {
  const conversion = wkt === undefined ? undefined : await toDegrees(wkt);
  if (conversion === undefined && (needs.point || needs.outline)) throw unknownSystem(systemName);
  return conversion ?? NO_CONVERSION;
}

type Column = { readonly name: string; readonly isBoolean: boolean; readonly isKey: boolean };

function listColumns(database: DatabaseSync, layer: string): readonly Column[] {
  const listed = database.prepare('SELECT name, type, pk FROM pragma_table_info(?)');
  return listed.all(layer).map(({ name, type, pk }) => ({
    name: String(name),
    isBoolean: /^boolean$/i.test(String(type)),
    isKey: pk === 1,
  }));
}

async function* readFeatures({
  database,
  layer,
  columns,
  geometry: geometryColumn,
  conversion,
  needsOutline,
  onRead,
}: {
  readonly database: DatabaseSync;
  readonly layer: string;
  readonly columns: readonly Column[];
  readonly geometry: string | undefined;
  readonly conversion: ToDegrees;
  readonly needsOutline: boolean;
  readonly onRead: SourceFile['onRead'];
}): AsyncGenerator<Buffer> {
  try {
    const query = database.prepare(`SELECT * FROM ${quoted(layer)}`);
    query.setReadBigInts(true);
    query.setReturnArrays(true);
    const key = columns.findIndex(({ isKey }) => isKey);
    const count = onRead === undefined ? 0 : countFeatures(database, layer);
    let number = 0;
    for (const row of query.iterate()) {
      number += 1;
      if (number % SHOWN_EACH === 0 || number === count) onRead?.(number / count);
      const values: readonly unknown[] = Array.isArray(row) ? row : [];
      const blob = values[columns.findIndex(({ name }) => name === geometryColumn)];
      const properties = columns.flatMap((column, index) =>
        column.name === geometryColumn
          ? []
          : [[column.name, valueJson(values[index], column)] as const],
      );
      const line = featureLine({
        id: key < 0 ? String(number) : valueJson(values[key], { isBoolean: false }),
        geometry:
          blob instanceof Uint8Array ? readGeoPackageGeometry(Buffer.from(blob)) : undefined,
        toDegrees: conversion,
        needsOutline,
        properties,
      });
      yield Buffer.from(line);
    }
  } catch (error) {
    throw explainSqlite(error);
  }
}

/** How many features are read between two reports of the progress. */
const SHOWN_EACH = 1000;

function valueJson(value: unknown, { isBoolean }: Pick<Column, 'isBoolean'>): string {
  if (typeof value === 'bigint') return isBoolean ? String(value !== 0n) : String(value);
  if (typeof value === 'number') {
    return JSON.stringify(Number.isFinite(value) ? value : String(value));
  }
  if (typeof value === 'string') return JSON.stringify(value);
  return value === null ? 'null' : '"(bytes)"';
}
