import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { type OpenedAreas, openAreas, overlapValue, pointValue } from '../enrich/point-values.ts';
import type { ImportedFile } from '../formats/source-file.ts';
import type { DeclaredDataset } from '../manifest/manifest.ts';
import { PublishError } from '../problems/publish-error.ts';
import type { BaseRows } from './base-rows.ts';

/** The fields that are computed from the point of a record. */
export type ComputedFields = {
  readonly areas: ReadonlyMap<string, OpenedAreas>;
  /** The function of SQL of each, by the name of the field. */
  readonly functions: ReadonlyMap<string, string>;
  /** The function with the id of the area that has a point, by the name of the boundaries. */
  readonly idFunctions: ReadonlyMap<string, string>;
  /** The function with the ids of several areas around a point, or NULL, by the name of declared boundaries. */
  readonly overlapFunctions: ReadonlyMap<string, string>;
};

/** Reads the boundaries, and adds a function to the connection for each computed field. */
export async function openComputedFields(
  connection: ImportConnection,
  { dataset, source }: DeclaredDataset,
  base: BaseRows | undefined,
): Promise<ComputedFields> {
  const areas = await openAreas(source.areas);
  if (base !== undefined) refuseOtherBoundaries(dataset.name, areas, base);
  const functions = new Map<string, string>();
  for (const [index, { name }] of dataset.fields.entries()) {
    const from = source.fields.get(name)?.from;
    if (from === undefined) continue;
    const added = `point_value_${index}`;
    connection.addPointFunction(added, pointValue(from, areas));
    functions.set(name, added);
  }
  const idFunctions = new Map(
    [...areas.keys()].map((area) => {
      const added = `area_of_${area}`;
      connection.addPointFunction(added, pointValue({ kind: 'area', area, value: 'id' }, areas));
      return [area, added] as const;
    }),
  );
  const overlapFunctions = new Map(
    [...areas.values()].flatMap((opened) => {
      // The boundaries that ship do not overlap.
      if (opened.boundaries.file === undefined) return [];
      const added = `areas_of_${opened.boundaries.name}`;
      connection.addPointFunction(added, overlapValue(opened));
      return [[opened.boundaries.name, added] as const];
    }),
  );
  return { areas, functions, idFunctions, overlapFunctions };
}

/** The boundaries, as they are recorded with the version. */
export function boundaryFiles({ areas }: ComputedFields): readonly ImportedFile[] {
  const files = new Map([...areas.values()].map(({ file }) => [file.path, file]));
  return [...files.values()];
}

/** The kept rows have the values of the boundaries that their version was published with. */
function refuseOtherBoundaries(
  datasetName: string,
  areas: ComputedFields['areas'],
  { version, sources }: BaseRows,
): void {
  for (const { boundaries, label, file } of areas.values()) {
    if (sources.some(({ sha256 }) => sha256 === file.sha256)) continue;
    throw new PublishError(
      `Version ${version} of ${datasetName} was published with boundaries of '${boundaries.name}' that differ from those in ${label}, but the new version would extend it.`,
      'Publish all rows, without --append and --replace-period.',
    );
  }
}
