/** A row as texts by column: the same whatever language it came through. Absent is an empty text. */
export type CanonicalRow = Readonly<Record<string, string>>;

type Json = Readonly<Record<string, unknown>>;

/** A record, with typed values, with texts, or as a row of a frame of Python. */
export function canonicalRecord(fields: unknown): CanonicalRow {
  return Object.fromEntries(
    Object.entries(objectOf(fields)).map(([name, value]) => [name, String(value ?? '')]),
  );
}

/** A row of a frame of metric values, which the Python client makes. */
export function canonicalFrameRow(row: unknown): CanonicalRow {
  return Object.fromEntries(
    Object.entries(objectOf(row)).map(([name, value]) => [name, measureText(value)]),
  );
}

/** A metric value, as JSON of HTTP or of protobuf, with the columns of the Python client. */
export function canonicalValue(given: unknown): CanonicalRow {
  const value = objectOf(given);
  const { start, end } = objectOf(value['observationPeriod']);
  const feature = objectOf(value['mapFeatureV2']);
  const measures = [value['value'], ...list(value, 'supportingValues')].map(objectOf);
  return {
    feature_id: text(feature['featureId']),
    observation_start: dayText(start),
    observation_end: dayText(end),
    ...componentColumns(feature, ''),
    ...componentColumns(objectOf(value['relatedMapFeature'] ?? {}), 'related_'),
    ...Object.fromEntries(
      list(value, 'dimensions')
        .map(objectOf)
        .map(({ dimensionId, displayName }) => [text(dimensionId), text(displayName)]),
    ),
    ...Object.fromEntries(measures.map((measure) => [text(measure['name']), measured(measure)])),
  };
}

/** A group of metric values, as JSON of HTTP or of protobuf, which leaves out a member that is 0 or empty. */
export function canonicalGroup(given: unknown): CanonicalRow {
  const { periodsWithValues, periods, ...group } = objectOf(given);
  const { start, end } = objectOf(group['period'] ?? {});
  const values = list(group, 'values').map(objectOf);
  return {
    ...Object.fromEntries(
      list(group, 'groups')
        .map(objectOf)
        .map(({ kind, id, value, displayName }) => [
          `${text(kind).replace(/^KIND_/, '')} ${text(id)}`,
          `${text(value)} ${text(displayName)}`,
        ]),
    ),
    period: start === undefined ? '' : `${dayText(start)} ${dayText(end)}`,
    ...Object.fromEntries(
      values.flatMap(({ name, number, count, ...compared }) => [
        [text(name), numberText(number ?? count)],
        ...Object.entries(compared)
          .filter(([, member]) => member !== null)
          .map(([member, value]) => [`${text(name)} ${member}`, text(value)]),
      ]),
    ),
    periods: `${text(periodsWithValues ?? 0)} ${text(periods ?? 0)}`,
  };
}

/** A count is text over gRPC, and in JSON a number that JavaScript reads in double precision. */
function numberText(value: unknown): string {
  return value === undefined || value === null ? '' : text(Number(value));
}

/** Counts of a date or of a field. Those of protobuf are text. */
export function canonicalCounts(given: unknown): CanonicalRow {
  return Object.fromEntries(
    Object.entries(objectOf(given)).map(([name, value]) => [name, text(value)]),
  );
}

function componentColumns(feature: Json, prefix: string): CanonicalRow {
  const columns = list(feature, 'addressComponents')
    .map(objectOf)
    .flatMap((component) => {
      const name = prefix + text(component['component']);
      return [
        [`${name}_id`, text(component['value'])],
        [`${name}_name`, text(component['displayName'])],
        [`${name}_short_name`, text(component['shortName'])],
      ] as const;
    });
  return Object.fromEntries(columns);
}

/** HTTP has all three members, one of them null for an absent value; protobuf has one of them, or none. */
function measured({ number, count, category }: Json): string {
  const members = [category, number, count === undefined || count === null ? count : Number(count)];
  if (members.includes(null)) return '';
  const given = members.filter((member) => member !== undefined);
  return measureText(given.find((member) => member !== '' && member !== 0) ?? given.at(-1));
}

/** A number over gRPC has single precision. */
function measureText(value: unknown): string {
  if (typeof value !== 'number') return text(value);
  return String(Number.isInteger(value) ? value : Math.fround(value));
}

/** Members with a list end in `List` over HTTP. */
function list(members: Json, name: string): readonly unknown[] {
  const found = members[`${name}List`] ?? members[name] ?? [];
  if (Array.isArray(found)) return found;
  throw new Error(`'${name}' is no list: ${JSON.stringify(found)}`);
}

function dayText(day: unknown): string {
  const { year, month, day: date } = objectOf(day);
  return [year, month, date].map((part) => String(part).padStart(2, '0')).join('-');
}

function text(value: unknown): string {
  return String(value ?? '');
}

function objectOf(value: unknown): Json {
  // An object that is not null has members of unknown values.
  if (typeof value === 'object' && value !== null) return value as Json;
  throw new Error(`This is no object: ${JSON.stringify(value)}`);
}
