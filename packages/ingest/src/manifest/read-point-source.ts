import { nameHint } from '@locmetrics/core/errors/nearest-name';
import type { ReadContext } from './manifest-report.ts';
import type { DatasetDocument } from './manifest-schema.ts';
import { OUTLINE_VALUE, type PointSource, SHIPPED_VALUES } from './point-source.ts';

/** The value that a field has by the point of its record; undefined for any other field. */
export function readPointSource(
  name: string,
  { declared, areas, report }: ReadContext & { readonly declared: DatasetDocument },
): PointSource | undefined {
  const field = declared.fields[name];
  if (field?.from === undefined) return undefined;
  const reportFrom = report.at('from');
  for (const key of ['column', 'expression', 'format', 'zone', 'as', 'end', 'pad'] as const) {
    if (field[key] === undefined) continue;
    report.at(key)(`The field is computed from the point, so it has no ${key}.`, LEAVE_OUT);
  }
  if (field.type !== 'string') {
    reportFrom(
      `The value is a text, and the field has the type ${field.type}.`,
      'Declare it as string.',
    );
  }
  if (declared.point === undefined) {
    reportFrom('The dataset has no point.', 'Declare it: point: { latitude, longitude }.');
  }
  if (declared.key.includes(name)) {
    reportFrom(
      'A field of the key cannot be computed from the point.',
      'A point can lie outside all areas, and two points can lie in the same area. Choose another key.',
    );
  }
  if (typeof field.from === 'string') return { kind: 'placekey' };
  const { h3, area, value } = field.from;
  if ((h3 === undefined) === (area === undefined)) {
    reportFrom(
      h3 === undefined
        ? 'It is not declared what to compute.'
        : 'Both an H3 cell and an area are declared.',
      'Write one of placekey, { h3: 9 } and { area: us_counties, value: name }.',
    );
    return undefined;
  }
  if (h3 !== undefined) {
    if (value !== undefined) {
      reportFrom.at('value')('Only an area has several values.', LEAVE_OUT);
    }
    return { kind: 'h3', resolution: h3 };
  }
  return readArea({ area, value, areas, report: reportFrom });
}

const LEAVE_OUT = 'Leave this out.';

function readArea({
  area = '',
  value = 'id',
  areas,
  report,
}: ReadContext & {
  readonly area: string | undefined;
  readonly value: string | undefined;
}): PointSource {
  const boundaries = areas.get(area);
  if (boundaries === undefined) {
    report.at('area')(
      `There are no boundaries '${area}'.`,
      nameHint(area, [...areas.keys()].toSorted()),
    );
  }
  const isShipped = boundaries !== undefined && boundaries.file === undefined;
  if (isShipped && !SHIPPED_VALUES.some((known) => known === value)) {
    report.at('value')(`${area} has no '${value}'.`, nameHint(value, SHIPPED_VALUES));
  }
  return { kind: 'area', area, value };
}

/** The source column of a computed field: by default the column of a component of the address, or of the feature. */
export function pointSourceColumn(
  name: string,
  from: NonNullable<DatasetDocument['fields'][string]['from']>,
): string {
  if (typeof from === 'string') return 'feature.placekey.value';
  if (from.area === undefined) return `feature.${name}.value`;
  switch (from.value) {
    case undefined:
    case 'id':
      return `address.${from.area}.value`;
    case OUTLINE_VALUE:
      return `feature.${name}.value`;
    case 'name':
      return `address.${from.area}.display_name`;
    default:
      return `address.${name}.value`;
  }
}
