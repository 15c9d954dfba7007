import dataAccessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/**
 * Lets the engine's package decode each text as it is stored. Its own decoder takes U+FEFF at the start of a text for a
 * byte order mark and drops it, so a filter on the value that was shown would not find its record. The package has no
 * option for it, but calls the decoder through this exported object.
 */
export function keepByteOrderMarks(): void {
  Object.assign(dataAccessors, { textDecoder: DECODER });
}

const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
