import type { PublishOptions } from '../../src/importer/publish/publish.ts';
import { columnWriter } from '../../src/storage/duckdb/publish/column-writer.ts';

/** The options of the command without flags. */
export const WHOLE_PUBLISH = {
  mode: { kind: 'replace' },
  writers: [columnWriter],
  isDryRun: false,
  acceptsChanges: false,
  retention: { versions: 3, milliseconds: 60 * 60_000 },
} as const satisfies Partial<PublishOptions>;
