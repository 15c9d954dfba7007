import type { DatasetVersion } from '@locmetrics/core/domain/version';
import type { Engine } from '@locmetrics/core/storage/engine';
import type { Table } from '../table.ts';

/** The functions with which the suite opens and fills an engine. */
export type EngineUnderTest = {
  readonly name: string;
  /** When the suite runs on it: the default is with `npm test`, and `slow` is with `npm run test:all`. */
  readonly tags?: 'slow';
  readonly open: () => Promise<OpenedEngine>;
};

export type OpenedEngine = {
  readonly engine: Engine;
  /** Stores the rows of a version where the engine reads them, as a publish does. */
  readonly load: (table: Table) => Promise<void>;
  /** Removes them again, as the removal of old versions does. */
  readonly remove: (version: DatasetVersion) => Promise<void>;
  /** Closes the engine and leaves nothing behind. */
  readonly close: () => Promise<void>;
};
