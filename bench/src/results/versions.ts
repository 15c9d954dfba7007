import { version as duckdbVersion } from '@duckdb/node-api';

/** The versions of what is measured, besides those of the peers. */
export function describeVersions(locmetrics: string) {
  return { node: process.versions.node, locmetrics, duckdb: duckdbVersion() };
}
