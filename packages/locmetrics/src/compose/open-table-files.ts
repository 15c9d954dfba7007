import { tableFileOpener } from '@locmetrics/column-store/table-files/open-table-file';
import type { TableFiles } from '@locmetrics/core/storage/table-file';

/** For each file, while it is written: besides the memory of the column store. */
const MEMORY_BYTES = 128 * 2 ** 20;

/** Files of tables, with a folder of this process. */
export function openTableFiles(folder: string): TableFiles {
  return { open: tableFileOpener({ memoryLimitBytes: MEMORY_BYTES, threads: 1 }), folder };
}
