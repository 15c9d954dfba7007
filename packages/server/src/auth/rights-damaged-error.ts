import { ControlError } from '@locmetrics/core/errors/control-error';
import type { RightsTableName } from './rights-table.ts';

/** A row that decides rights and is not as it was written. It is never used. */
export type DamagedRow = {
  readonly table: RightsTableName;
  /** The id of the row, or what has become of it. */
  readonly rowId: string;
  /** Undefined if no organisation is known that it belongs to. */
  readonly organisationId: string | undefined;
  /** Continues a sentence about the row. */
  readonly problem: string;
};

export const CONTENT_CHANGED = 'its content does not fit its checksum';
export const RIGHTS_CHANGED = 'its grants and limits do not fit their checksum, so one is missing';
export const ROW_MISSING = 'it is missing';

/** The error for what a damaged row decides. Other organisations are not affected. */
export class RightsDamagedError extends ControlError {
  readonly row: DamagedRow;

  constructor(row: DamagedRow) {
    const { table, rowId, organisationId, problem } = row;
    super(
      `The row '${rowId}' of the table ${table} in the control store is damaged: ${problem}.`,
      'Restore it from a backup: see docs/how-to/back-up-and-restore.md.',
      {
        reason: 'RIGHTS_DAMAGED',
        forCallers: {
          message:
            organisationId === undefined || table === 'token'
              ? 'The rights of the token cannot be checked: their stored data are damaged.'
              : `The rights of the organisation '${organisationId}' cannot be checked: their stored data are damaged.`,
          hint: 'Report it to the operator of the service, who can restore them from a backup.',
        },
      },
    );
    this.row = row;
  }
}
