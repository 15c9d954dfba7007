import { columnWriter } from '@locmetrics/column-store/publish/column-writer';
import type { VersionWriter } from '@locmetrics/column-store/publish/version-writer';
import { rowWriter } from '@locmetrics/row-store/publish/row-writer';

/** Writes what each engine of the service reads. */
export const VERSION_WRITERS: readonly VersionWriter[] = [columnWriter, rowWriter];

/** The names of the files that are made from the others of a version: row files. */
export const DERIVED_FILES: readonly string[] = VERSION_WRITERS.filter(
  ({ isDerived }) => isDerived,
).flatMap(({ files }) => files);
