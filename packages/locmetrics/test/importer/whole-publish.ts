import type { PublishOptions } from '@locmetrics/ingest/publish/publish-datasets';
import { countExtents } from '../../src/compose/count-extents.ts';
import { VERSION_WRITERS } from '../../src/compose/version-writers.ts';

/**
 * The limits of an engine for a small file. A second thread would have nothing to do, and the first one would wait for it in
 * a loop that uses the processor. Tests of how formats are read, and of many rows, have two.
 */
export const SMALL_IMPORT = { memoryLimitBytes: 2 ** 29, threads: 1 } as const;

/** The options of the command without flags, for small files. */
export const WHOLE_PUBLISH = {
  ...SMALL_IMPORT,
  mode: { kind: 'replace' },
  writers: VERSION_WRITERS,
  countExtents,
  isDryRun: false,
  acceptsChanges: false,
  retention: { versions: 3, milliseconds: 60 * 60_000 },
} as const satisfies Partial<PublishOptions>;
