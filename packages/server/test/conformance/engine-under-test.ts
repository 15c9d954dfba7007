import type { DatasetVersion } from '../../src/domain/dataset.ts';
import type { Engine } from '../../src/storage/engine.ts';
import type { Table } from './table.ts';

/** How the suite gets hold of an engine. */
export type EngineUnderTest = {
  readonly name: string;
  readonly open: () => Promise<OpenedEngine>;
};

export type OpenedEngine = {
  readonly engine: Engine;
  /** Brings the rows of a version to where the engine reads them, as a publish does. */
  readonly load: (table: Table) => Promise<void>;
  /** Takes them away again, as the removal of old versions does. */
  readonly remove: (version: DatasetVersion) => Promise<void>;
  /** Closes the engine and leaves nothing behind. */
  readonly close: () => Promise<void>;
};
