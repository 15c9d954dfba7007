import { DuckDBInstance } from '@duckdb/node-api';
import dataAccessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

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

/**
 * Lets the engine's package decode each text as it is stored. Its own decoder takes U+FEFF at the start of a text for a
 * byte order mark and drops it, so a filter on the value that was shown would not find its record. The package has no
 * option for it, but calls the decoder through this exported object.
 */
function keepByteOrderMarks(): void {
  Object.assign(dataAccessors, { textDecoder: DECODER });
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
