import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import type { KeyRole } from './key-roles.ts';

/** A field that may be a part of a key. */
export type KeyField = {
  readonly name: string;
  /** The column of the table of values. */
  readonly value: string;
  readonly type: string;
  readonly role: KeyRole;
  /** Whether its days are spans such as weeks, or its name says that rows are about them; and no times of events. */
  readonly span: 'declared' | 'named' | undefined;
  readonly filledCount: number;
  readonly isFilled: boolean;
  readonly distinctCount: number;
};

/** The rows whose key is looked for. */
export type KeyRows = {
  readonly connection: ImportConnection;
  /** The table of values. */
  readonly table: string;
  readonly rowCount: number;
};
