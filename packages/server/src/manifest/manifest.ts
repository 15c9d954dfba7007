import type { Dataset } from '../domain/dataset.ts';
import type { Layer } from '../domain/layer.ts';
import type { Metric } from '../domain/metric.ts';
import type { Acceptance } from './acceptance.ts';
import type { FileFormat } from './manifest-schema.ts';

/** A manifest after its structure, names, types and references were checked. */
export type Manifest = {
  /** Absolute path of the file. */
  readonly path: string;
  readonly datasets: readonly DeclaredDataset[];
};

/** A dataset with its layers, metrics and source files. */
export type DeclaredDataset = {
  readonly dataset: Dataset;
  /** The layers and metrics that use it. */
  readonly layers: readonly Layer[];
  readonly metrics: readonly Metric[];
  readonly source: DatasetSource;
  readonly accept: Acceptance;
};

export type DatasetSource = {
  /** Absolute paths, in the order of the manifest. */
  readonly files: readonly string[];
  readonly format: FileFormat;
  /** Column of the file for each field, by field name. */
  readonly columns: ReadonlyMap<string, string>;
  /** For CSV and TSV: one character each; `quote` may be empty for none. */
  readonly delimiter: string;
  readonly quote: string;
};
