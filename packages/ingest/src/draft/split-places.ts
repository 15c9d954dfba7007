import { type DraftDataset, forceTexts } from './draft-dataset.ts';
import { measuresOf } from './relate-datasets.ts';
import type { DraftField } from './values/draft-fields.ts';
import { distinctName } from './values/valid-name.ts';

/** Two datasets of the same files, the places and their values by period, so that they can be a layer and a metric. */
export function splitPlaces(dataset: DraftDataset): readonly DraftDataset[] {
  const { places, point } = dataset;
  if (places === undefined || point === undefined) return [dataset];
  const [first, ...more] = splitBy(dataset, places);
  return first === undefined ? [dataset] : [first, ...more.map((one) => withoutDoubts(one, first))];
}

/** Two datasets of one file would repeat its doubts. */
export function withoutDoubts(dataset: DraftDataset, other: DraftDataset): DraftDataset {
  const names = new Set(other.fields.map(({ name }) => name));
  return {
    ...dataset,
    files: dataset.files.map((file) => ({ ...file, doubts: new Map() })),
    fields: dataset.fields.map((field) =>
      names.has(field.name) ? { ...field, doubts: [] } : field,
    ),
  };
}

/**
 * The same without points, for values that no other file has places for: the places are a layer without a map. The
 * values keep the name of the file.
 */
export function splitUnrelated(
  datasets: readonly DraftDataset[],
  isRelated: (dataset: DraftDataset) => boolean,
): readonly DraftDataset[] {
  const taken = new Set(datasets.map(({ name }) => name));
  return datasets.flatMap((dataset) => {
    const { places, point, key, combined } = dataset;
    const derived = datasets.filter((one) =>
      dataset.derived?.some(({ name }) => name === one.name),
    );
    // Copies of rows are left out of the places, too.
    const isClear = key.repeatedCount === 0 || combined.duplicates === 'same';
    const isAlone = point === undefined && isClear && ![dataset, ...derived].some(isRelated);
    const hasValues = measuresOf(dataset).length > 0 || derived.length > 0;
    const isKnown = places !== undefined && dataset.keyValues.has(places.id);
    if (!isKnown || !isAlone || !hasValues) return [dataset];
    const [first, ...more] = splitBy(dataset, places);
    if (first === undefined || more.length === 0) return [dataset];
    const name = distinctName(first.name, taken);
    taken.add(name);
    return [
      ...more,
      ...more.slice(0, 1).map((one) => withoutDoubts({ ...first, name, isLayer: true }, one)),
    ];
  });
}

function withPlaceDoubt(
  dataset: DraftDataset,
  { id, doubt }: NonNullable<DraftDataset['places']>,
): DraftDataset {
  if (doubt === undefined) return dataset;
  const fields = dataset.fields.map((field) =>
    field.name === id ? { ...field, doubts: [...field.doubts, doubt] } : field,
  );
  return { ...dataset, fields };
}

function splitBy(
  whole: DraftDataset,
  places: NonNullable<DraftDataset['places']>,
): readonly DraftDataset[] {
  const dataset = withPlaceDoubt(whole, places);
  const { wide, rowCount, key, files } = dataset;
  // The columns of Parquet are texts only beside an expression, which the places then need too.
  const isText =
    dataset.members.size === 0 &&
    dataset.fields.some(({ document }) => document.expression !== undefined);
  const id = dataset.fields.find(({ name }) => name === places.id);
  const isConverted = isText && id?.document.expression === undefined;
  if (isConverted && files.some(({ format }) => format === 'parquet')) return [dataset];
  // Only the step has the columns that it makes, such as a mark that is the same on all days.
  const isOfStep = ({ name, column = name }: DraftField) =>
    wide?.values.some((value) => value.name === column) === true;
  const isPlace = (field: DraftField) =>
    field.name === places.id ||
    field.name === dataset.outline ||
    (places.fields.includes(field.name) && !isOfStep(field));
  const names = new Set(dataset.renamed.values());
  const isRenamed = ({ column = '' }: DraftField) => names.has(column);
  // The level of a record shows whether it is a total.
  const isLevel = ({ name }: DraftField) => dataset.totals.some(({ field }) => field === name);
  // A column for each place: only the step makes the places.
  const isMade = wide !== undefined && [places.id, ...places.fields].includes(wide.name);
  const rowsOfPlace = new Set(wide?.used).size / (wide?.values.length ?? 1);
  const isOnce =
    (wide === undefined || isMade ? rowCount : rowCount / rowsOfPlace) === places.count;
  const ids = dataset.keyValues.get(places.id);
  const parts: readonly DraftDataset[] = [
    {
      ...dataset,
      name: `${dataset.name}_places`,
      renamed: dataset.fields.some((field) => isPlace(field) && isRenamed(field))
        ? dataset.renamed
        : new Map(),
      wide: isMade ? { ...wide, notes: [], doubts: [] } : undefined,
      hours: undefined,
      combined: {
        // The next file of a period has the places again, but that of columns for periods replaces this one.
        duplicates: isOnce && wide !== undefined ? undefined : 'same',
        reason: undefined,
        choices: undefined,
        isByDesign: true,
      },
      key: {
        ...key,
        fields: [places.id],
        repeatedCount: isOnce ? 0 : rowCount - places.count,
        conflictCount: 0,
      },
      period: undefined,
      chance: undefined,
      totals: [],
      fields: dataset.fields.filter(isPlace),
      rowCount: places.count,
      alternatives: new Map(places.unique.map((name) => [name, new Set<string>()])),
      keyValues: new Map(ids === undefined ? [] : [[places.id, ids]]),
    },
    {
      ...dataset,
      nameKey: undefined,
      point: undefined,
      region: undefined,
      pointDoubt: undefined,
      wrongShapes: undefined,
      outline: undefined,
      outlineDoubt: undefined,
      fields: dataset.fields.filter(
        (field) => !isPlace(field) || field.name === places.id || isLevel(field),
      ),
      emptyColumns: [],
      unreadColumns: [],
      nested: [],
    },
  ];
  return parts.map(asTexts);
}

/** Without a member of an object, only an expression makes a publish of Parquet, and of arrays of JSON, read all columns as texts. */
function asTexts(dataset: DraftDataset): DraftDataset {
  const { members, files, fields } = dataset;
  const isNested =
    fields.some(({ isArray }) => isArray === true) ||
    (members.size > 0 && files.some(({ format }) => format === 'parquet'));
  const isForced =
    isNested &&
    !fields.some(
      ({ document: { expression, column } }) =>
        expression !== undefined || String(column).includes('.'),
    );
  return isForced ? { ...dataset, fields: forceTexts(fields) } : dataset;
}
