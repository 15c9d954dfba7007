import type { DataReference, FieldDefinition } from '../generated/schemas.ts';

/** The text of a TypeScript file with the type `Datasets`, which `createClient<Datasets>` takes. */
export function datasetTypes(datasets: readonly DataReference[], url: string): string {
  const shapes = new Map<string, string>();
  const members = datasets.map((dataset) => datasetMember(dataset, shapes));
  return [
    `// The datasets of ${url}. Made by \`locmetrics-client types\`.\n\n`,
    'export type Datasets = {\n',
    ...members,
    '};\n',
    ...[...shapes].map(([shape, name]) => `\ntype ${name} = ${shape};\n`),
  ].join('');
}

function datasetMember(
  { name, dataListingDisplayName, fields }: DataReference,
  shapes: Map<string, string>,
): string {
  const included = fields.filter(({ includedByDefault }) => includedByDefault);
  return [
    comment(dataListingDisplayName, '  '),
    `  readonly ${JSON.stringify(name)}: {\n    readonly fields: {\n`,
    ...fields.map(
      (field) =>
        `${comment(field.description, '      ')}      readonly ${field.name}: ${shapeName(field, shapes)};\n`,
    ),
    `    };\n    readonly defaultFields: ${union(included.map((field) => field.name))};\n  };\n`,
  ].join('');
}

/** Fields of one type and with the same operators share a type. */
function shapeName(
  { type, filters: { supportedOperators } }: FieldDefinition,
  shapes: Map<string, string>,
): string {
  const shape = `{\n  readonly value: ${VALUE_TYPES[type]} | null;\n  readonly operator: ${union(supportedOperators)};\n}`;
  const known = shapes.get(shape);
  if (known !== undefined) return known;
  const base = NAMES[type];
  const taken = [...shapes.values()].filter((name) => name.startsWith(base)).length;
  const name = taken === 0 ? base : `${base}${taken + 1}`;
  shapes.set(shape, name);
  return name;
}

const VALUE_TYPES = {
  COLUMN_TYPE_STRING: 'string',
  COLUMN_TYPE_INTEGER: 'number',
  COLUMN_TYPE_FLOAT: 'number',
  COLUMN_TYPE_BOOLEAN: 'boolean',
  COLUMN_TYPE_DATE: 'string',
} as const;

const NAMES = {
  COLUMN_TYPE_STRING: 'TextField',
  COLUMN_TYPE_INTEGER: 'NumberField',
  COLUMN_TYPE_FLOAT: 'NumberField',
  COLUMN_TYPE_BOOLEAN: 'BooleanField',
  COLUMN_TYPE_DATE: 'DateField',
} as const;

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => JSON.stringify(name)).join(' | ');
}

/** A description may have lines and the end of a comment in it. */
function comment(text: string, indent: string): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('*/', '* /').trim();
  return line === '' ? '' : `${indent}/** ${line} */\n`;
}
