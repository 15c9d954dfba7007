import type { Dataset } from '@locmetrics/core/domain/dataset';
import type { Field, FieldType } from '@locmetrics/core/domain/field';
import type { Layer } from '@locmetrics/core/domain/layer';
import type { Metric } from '@locmetrics/core/domain/metric';
import { SEARCH_RULE, type SearchRule } from '@locmetrics/core/domain/search-text';
import type { Value } from '@locmetrics/core/domain/value';
import type { DatasetVersion } from '@locmetrics/core/domain/version';

/** A version of a dataset with its rows, as in a data owner's file. */
export type Table = {
  readonly version: DatasetVersion;
  readonly rows: readonly SourceRow[];
};

/** A row by field name. Blank text and `null` are absent, and `-0` means 0. */
export type SourceRow = Readonly<Record<string, Value>>;

export type FieldDeclaration = FieldType | (Partial<Field> & { readonly type: FieldType });

/** A table of the given fields, in this order. The default key is the first field. */
export function defineTable(declared: {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldDeclaration>>;
  readonly rows: readonly SourceRow[];
  readonly key?: readonly string[];
  readonly point?: NonNullable<Dataset['point']>;
  /** Whether it has the vectors of its points, as all releases store them now; the default. */
  readonly hasVectors?: boolean;
  readonly period?: NonNullable<Dataset['period']>;
  readonly existence?: NonNullable<Dataset['existence']>;
  readonly layers?: readonly Layer[];
  readonly metrics?: readonly Metric[];
  /** RFC 3339, UTC, with milliseconds. */
  readonly publishedTime?: string;
  /** 1 for a version of a release that stored no texts for searches. Default: that of a publish. */
  readonly searchRule?: SearchRule;
}): Table {
  const { name, fields, rows, point, hasVectors = true, period, existence } = declared;
  const located = point ?? declared.layers?.find((layer) => layer.point !== undefined)?.point;
  const publishedTime = declared.publishedTime ?? '2024-01-01T00:00:00.000Z';
  const dataset: Dataset = {
    name,
    productDisplayName: 'Conformance',
    productDescription: '',
    displayName: name,
    description: '',
    fields: Object.entries(fields).map(([fieldName, field]) => defineField(fieldName, field)),
    key: declared.key ?? Object.keys(fields).slice(0, 1),
    ...(point === undefined ? {} : { point }),
    ...(hasVectors && located !== undefined ? { vectors: located } : {}),
    ...(period === undefined ? {} : { period }),
    ...(existence === undefined ? {} : { existence }),
    ...(declared.searchRule === 1 ? {} : { searchRule: SEARCH_RULE }),
  };
  return {
    version: {
      dataset,
      layers: declared.layers ?? [],
      metrics: declared.metrics ?? [],
      version: `${publishedTime.replaceAll(/[-:.]/g, '')}-0123456789ab`,
      publishedTime,
      rowCount: rows.length,
    },
    rows,
  };
}

function defineField(name: string, declared: FieldDeclaration): Field {
  const { type, ...given } = typeof declared === 'string' ? { type: declared } : declared;
  return {
    name,
    type,
    sourceColumn: `feature.${name}.value`,
    description: '',
    exampleValue: '',
    includedByDefault: true,
    ...given,
  };
}
