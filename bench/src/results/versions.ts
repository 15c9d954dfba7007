import { version as duckdbVersion } from '@duckdb/node-api';

/** The versions of the measured software, without the peers. */
export function describeVersions(locmetrics: string) {
  return { node: process.versions.node, locmetrics, duckdb: duckdbVersion() };
}
