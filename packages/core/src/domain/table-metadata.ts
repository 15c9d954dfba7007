import type { Licence } from './licence.ts';

/** Facts that travel with a table. */
export type TableMetadata = {
  /** The name of the dataset, or the metric as `catalog_id/metric_id`. */
  readonly source: { readonly dataset: string } | { readonly metric: string };
  readonly version: string;
  readonly licences: readonly Licence[];
};

/**
 * The same for formats with a text for each name: `dataset` or `metric`, `version`, `licence`, `licence_url`, `attribution`
 * and `terms_url`. Several licences are on lines of their own.
 */
export function metadataTexts({
  source,
  version,
  licences,
}: TableMetadata): Readonly<Record<string, string>> {
  const lines = (of: (licence: Licence) => string | undefined): string =>
    licences.flatMap((licence) => of(licence) ?? []).join('\n');
  const texts = {
    ...source,
    version,
    licence: lines(({ name }) => name),
    licence_url: lines(({ url }) => url),
    attribution: lines(({ attribution }) => attribution),
    terms_url: lines(({ termsUrl }) => termsUrl),
  };
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
