import { ServiceError } from '@locmetrics/core/errors/service-error';
import type { ControlStore } from '../auth/control-store.ts';
import type { ExportFolder } from './export-folder.ts';
import type { ExportSettings } from './export-settings.ts';
import type { ExportStore } from './export-store.ts';

/** The dependencies of exports besides those of all operations. */
export type ExportContext = {
  readonly store: ExportStore;
  /** The URL of this node, by which jobs name it; undefined for a single service. */
  readonly node: string | undefined;
  readonly folder: ExportFolder;
  readonly settings: ExportSettings;
  /** Finds the caller of a job by its token. */
  readonly findCallerById: ControlStore['findCallerById'];
  /** Signs links to files. Another key ends all of them. */
  readonly linkKey: () => Uint8Array;
  /** The URL before the path of a link; undefined before it is known. */
  readonly publicUrl: () => string | undefined;
  /** Called when an export waits. */
  readonly wake: () => void;
};

/** The exports of a process; refused if it has none. */
export function exportsOf(exports: ExportContext | undefined): ExportContext {
  if (exports !== undefined) return exports;
  throw new ServiceError('EXPORTS_OFF', 'The service writes no exports.', {
    hint: 'Get the whole result as a stream: GET /v3/catalog/{dataReferenceName}/records.csv, or GET /v1/catalogs/{catalogId}/metrics/{metricId}/values.csv.',
  });
}
