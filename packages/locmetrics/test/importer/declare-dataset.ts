import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { FieldType } from '@locmetrics/core/domain/field';
import { ACCEPT_ANY_CHANGE, type Acceptance } from '@locmetrics/ingest/manifest/acceptance';
import type { FileFormat } from '@locmetrics/ingest/manifest/file-formats';
import {
  type DeclaredDataset,
  type FileReading,
  PLAIN_READING,
} from '@locmetrics/ingest/manifest/manifest';

/** The parts of a dataset that a test sets. The rest has simple defaults. */
export type DatasetShape = {
  readonly fields: Readonly<Record<string, FieldType>>;
  readonly key: readonly string[];
  /** The columns of fields whose column has another name. */
  readonly columns?: Readonly<Record<string, string | number>>;
  readonly reading?: Partial<FileReading>;
  readonly accept?: Acceptance;
} & Pick<Dataset, 'point' | 'vectors' | 'period' | 'existence'>;

export function declareDataset(
  { fields, key, columns = {}, reading = {}, accept = ACCEPT_ANY_CHANGE, ...roles }: DatasetShape,
  format: FileFormat,
  files: readonly string[],
): DeclaredDataset {
  const dataset: Dataset = {
    name: 'us.places',
    productDisplayName: 'us',
    productDescription: '',
    displayName: 'us.places',
    description: '',
    fields: Object.entries(fields).map(([name, type]) => ({
      name,
      type,
      sourceColumn: `feature.${name}.value`,
      description: '',
      exampleValue: '',
      includedByDefault: true,
    })),
    key,
    ...roles,
  };
  return {
    dataset,
    layers: [],
    metrics: [],
    accept,
    source: {
      files,
      format,
      fields: new Map(
        Object.keys(fields).map((name) => [name, { columns: [columns[name] ?? name] }]),
      ),
      reading: { ...PLAIN_READING, ...reading },
      areas: [],
      steps: [],
      lookups: [],
    },
  };
}
