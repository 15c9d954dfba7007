import { declaredNameHint } from './declared-name-hint.ts';
import type { Report } from './manifest-report.ts';
import type { DatasetDocument, ManifestDocument } from './manifest-schema.ts';

/** The dataset of a layer or a metric; a missing one is reported. */
export function expectDataset(
  name: string,
  document: ManifestDocument,
  at: readonly string[],
  report: Report,
): DatasetDocument | undefined {
  const dataset = document.datasets[name];
  if (dataset === undefined) {
    const hint = declaredNameHint(name, 'datasets', Object.keys(document.datasets));
    report([...at, 'dataset'], `The manifest declares no dataset '${name}'.`, hint);
  }
  return dataset;
}
