import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DataDirectoryError } from '@locmetrics/data-directory/files/data-directory-error';
import { openControlStore } from '@locmetrics/server/auth/control-store';
import type { RequiredTexts, Run } from '../../cli/define-command.ts';
import { printList } from '../../cli/output.ts';
import { openDirectory } from '../../compose/open-data.ts';
import { ConfigError } from '../../config/config-error.ts';

/** Restores damaged rows of the control store, beside a running service. */
export const repairControlAction: Run<RequiredTexts<'backup'>> = async (
  output,
  { backup, settings, json },
) => {
  const { directory, config } = openDirectory({ settings, output });
  if (config.control !== undefined) {
    throw new ConfigError(
      'The control store is in PostgreSQL, which has its own backups.',
      'Correct the damaged row there: triggers then update its checksum. If only the copy of this node is damaged, remove control.sqlite while the node is stopped.',
    );
  }
  const isFolder = statSync(backup, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = isFolder ? join(backup, basename(directory.control)) : backup;
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new ConfigError(`There is no ${path}.`, 'Name the directory of a backup, or its file.');
  }
  const store = openControlStore(directory.control);
  const repaired = (() => {
    try {
      return store.repairFrom(path);
    } finally {
      store.close();
    }
  })();
  printList(output, {
    json,
    answer: { rows: repaired },
    none: 'No row that decides rights is damaged.',
    columns: ['TABLE', 'ROW', 'RESULT'],
    rows: repaired.map(({ table, rowId, result, problem }) => [
      table,
      rowId,
      problem === undefined ? result : `${result}: ${problem}`,
    ]),
  });
  const left = repaired.filter(({ result }) => result === 'left').length;
  if (left === 0) return;
  throw new DataDirectoryError(
    `${left} damaged ${left === 1 ? 'row was' : 'rows were'} not restored.`,
    'Name a later backup. If there is none, restore the whole file, or create a new organisation with new tokens.',
  );
};
