import { countExtents } from '../../src/commands/count-extents.ts';
import { VERSION_WRITERS } from '../../src/commands/version-writers.ts';
import type { PublishOptions } from '../../src/importer/publish/publish.ts';

/** The options of the command without flags. */
export const WHOLE_PUBLISH = {
  mode: { kind: 'replace' },
  writers: VERSION_WRITERS,
  countExtents,
  isDryRun: false,
  acceptsChanges: false,
  retention: { versions: 3, milliseconds: 60 * 60_000 },
} as const satisfies Partial<PublishOptions>;
