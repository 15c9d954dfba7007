import { DuckDBInstance } from '@duckdb/node-api';
import { keepByteOrderMarks } from './keep-byte-order-marks.ts';

export type InstanceOptions = {
  /** The folder for what does not fit into memory; it is created when needed. */
  readonly temporaryDirectory: string;
  readonly memoryLimitBytes: number;
  readonly threads: number;
};

/** Opens DuckDB without a file of its own. It never downloads an extension. */
export function openInstance(options: InstanceOptions): Promise<DuckDBInstance> {
  keepByteOrderMarks();
  return DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimitText(options.memoryLimitBytes),
    threads: String(options.threads),
    temp_directory: options.temporaryDirectory,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
}

export function memoryLimitText(bytes: number): string {
  return `${bytes}B`;
}
