import { FILE_FORMAT_NAMES, FILE_FORMATS } from '@locmetrics/ingest/manifest/file-formats';
import { manifestSchemaText } from '@locmetrics/ingest/manifest/manifest-schema';
import { markdownTable } from './markdown-table.ts';

/** Where a table of keys comes from: the object at a path of the schema, and pages about its keys. */
type Part = { readonly path: string; readonly links?: Readonly<Record<string, string>> };

/** The generated tables of each page in `docs/reference/manifest`, by the name of the part. */
const PARTS: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  'README.md': {
    keys: {
      path: '',
      links: {
        datasets: 'datasets.md',
        areas: 'values-from-points.md#declare-areas',
        layers: 'layers.md',
        metrics: 'metrics.md',
      },
    },
  },
  'datasets.md': {
    keys: {
      path: 'datasets.*',
      links: {
        files: 'files.md',
        format: 'files.md',
        read: 'files.md#describe-an-unclean-file',
        rows: 'steps.md',
        point: 'points.md',
        cadence: '#cadence-and-processing',
        processing: '#cadence-and-processing',
        totals: '#totals',
        licence: '#licence',
        accept: 'accept.md',
        fields: 'fields.md',
      },
    },
    period: { path: 'datasets.*.period' },
    existence: { path: 'datasets.*.existence' },
    processing: { path: 'datasets.*.processing' },
    licence: { path: 'datasets.*.licence' },
    csv: { path: 'datasets.*.csv' },
    products: { path: 'products.*' },
  },
  'fields.md': {
    keys: {
      path: 'datasets.*.fields.*',
      links: {
        type: '#types',
        expression: 'expressions.md',
        from: 'values-from-points.md',
        format: 'values.md',
        zone: 'values.md#dates',
        as: 'values.md#dates',
        end: 'values.md#an-end-that-does-not-belong-to-the-period',
        pad: 'values.md#codes-with-leading-zeros',
        sorted: '#make-sorting-and-searching-fast',
        searchable: '#make-sorting-and-searching-fast',
        additive: '#say-what-can-be-added-up',
        suppress: '#hide-small-cells',
      },
    },
    suppress: { path: 'datasets.*.fields.*.suppress' },
  },
  'points.md': {
    keys: { path: 'datasets.*.point', links: { region: '#check-where-points-lie' } },
    region: { path: 'datasets.*.point.region' },
  },
  'values-from-points.md': {
    keys: { path: 'datasets.*.fields.*.from' },
    areas: { path: 'areas.*' },
  },
  'files.md': { keys: { path: 'datasets.*.read' } },
  'steps.md': {
    keys: {
      path: 'datasets.*.rows.[]',
      links: {
        where: '#where',
        unpivot: '#unpivot',
        aggregate: 'aggregate.md',
        join: 'join.md',
        sql: 'sql.md',
        duplicates: '#duplicates',
      },
    },
    unpivot: { path: 'datasets.*.rows.[].unpivot' },
  },
  'aggregate.md': {
    keys: { path: 'datasets.*.rows.[].aggregate', links: { totals: '#add-totals' } },
    values: { path: 'datasets.*.rows.[].aggregate.values.*' },
  },
  'join.md': { keys: { path: 'datasets.*.rows.[].join' } },
  'sql.md': { keys: { path: 'datasets.*.rows.[].sql' } },
  'accept.md': {
    keys: { path: 'datasets.*.accept', links: { notices: '#accept-a-notice' } },
    notices: { path: 'datasets.*.accept.notices.[]' },
  },
  'layers.md': {
    keys: { path: 'layers.*', links: { address_components: '#address-components' } },
    components: { path: 'layers.*.address_components.*' },
  },
  'metrics.md': {
    keys: {
      path: 'metrics.*',
      links: {
        related: '#values-about-two-places',
        cadence: '#cadence-and-period',
        period: '#cadence-and-period',
        measure: '#measures',
        supporting_values: '#measures',
        dimensions: '#dimensions',
      },
    },
    measures: { path: 'metrics.*.measure' },
    dimensions: { path: 'metrics.*.dimensions.*' },
    related: { path: 'metrics.*.related' },
  },
};

/** The tables of the pages about the manifest, from its schema. */
export function manifestTables(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const root: Schema = JSON.parse(manifestSchemaText());
  const pages = Object.entries(PARTS).map(([page, parts]) => {
    const tables = Object.entries(parts).map(([part, { path, links }]) => {
      return [part, keyTable(objectOf(schemaAt(root, path), path), links ?? {})];
    });
    return [page, Object.fromEntries(tables)];
  });
  return { ...Object.fromEntries(pages), ...{ 'files.md': filesTables(root) } };
}

function filesTables(root: Schema): Readonly<Record<string, string>> {
  const path = 'datasets.*.read';
  const rows = FILE_FORMAT_NAMES.map((name) => {
    const { suffixes, reads } = FILE_FORMATS[name];
    const archive = name === 'shapefile' ? '.zip' : '';
    return [code(name), codes(suffixes.map((suffix) => `.${suffix}${archive}`)), codes(reads)];
  });
  return {
    formats: markdownTable(['`format`', 'file names', 'keys of `read`'], rows),
    keys: keyTable(objectOf(schemaAt(root, path), path), {}),
  };
}

/** The keywords of JSON Schema that the schema of the manifest has. */
type Schema = {
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** The schema at a path: `*` is a value by name, and `[]` an item of a list. */
function schemaAt(root: Schema, path: string): Schema {
  return path
    .split('.')
    .filter((step) => step !== '')
    .reduce((schema, step) => {
      const next = [schema, ...(schema.anyOf ?? [])]
        .map((one) => {
          if (step === '*') return Object.values(one.patternProperties ?? {})[0];
          return step === '[]' ? one.items : one.properties?.[step];
        })
        .find((one) => one !== undefined);
      if (next === undefined) throw new Error(`The schema of the manifest has no ${path}`);
      return next;
    }, root);
}

function objectOf(schema: Schema, path: string): Schema {
  const found = [schema, ...(schema.anyOf ?? [])].find(({ properties }) => properties);
  if (found === undefined) throw new Error(`${path} is no object in the schema of the manifest`);
  return found;
}

function keyTable({ properties, required }: Schema, links: Readonly<Record<string, string>>) {
  const rows = Object.entries(properties ?? {}).map(([key, schema]) => {
    const name = required?.includes(key) === true ? `**${code(key)}**` : code(key);
    const link = links[key];
    return [
      link === undefined ? name : `[${name}](${link})`,
      OR.format(new Set(shapesOf(schema))),
      inMarkdown(schema.description ?? ''),
    ];
  });
  return markdownTable(['key', 'value', 'meaning'], rows);
}

/** What is written as the value of a key, in words. */
function shapesOf(schema: Schema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(shapesOf);
  if (schema.enum !== undefined) return [codes(schema.enum.map(String))];
  if (schema.const !== undefined) return [code(String(schema.const))];
  if (schema.patternProperties !== undefined) return ['keys by name'];
  switch (schema.type) {
    case 'string':
      return [schema.pattern?.startsWith('^[a-z]') === true ? 'name' : 'text'];
    case 'array':
      return ['list'];
    case 'boolean':
      return ['`true` or `false`'];
    case 'integer':
      return ['whole number'];
    case 'object':
      return ['keys'];
    default:
      return [schema.type ?? 'any value'];
  }
}

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function code(text: string): string {
  return `\`${text}\``;
}

function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ');
}

/** A description as Markdown: outside of code, signs stand for themselves. */
function inMarkdown(description: string): string {
  return description
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(/[*<[\]]/g, '\\$&')))
    .join('');
}
