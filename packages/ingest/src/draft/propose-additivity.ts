import { DISTINCT_NAME, defaultAdditivity } from '@locmetrics/core/domain/additivity';
import type { Additivity } from '@locmetrics/core/domain/field';
import type { DraftDataset } from './draft-dataset.ts';
import { isMeasure } from './keys/combine-repeated.ts';
import { mixedDoubt } from './keys/find-mixed.ts';
import type { DraftField } from './values/draft-fields.ts';
import type { WideColumns } from './values/find-wide-columns.ts';
import { type Label, labelNames } from './values/label-numbers.ts';
import {
  isAgeBand,
  isCategoryName,
  isCountedName,
  isPlanarName,
  measureKind,
  STOCK_NAME,
  unitOfName,
} from './values/measure-kind.ts';
import { snake } from './values/valid-name.ts';

/** Writes on each measure over what its values can be added up, with the reason where it is a guess. */
export function proposeAdditivity({
  fields,
  key,
  period,
  wide,
  running,
  repeatedValues,
  labels,
  name,
  unnest,
  columns,
  files,
  constants,
  examples,
  keyValues,
  places,
}: Pick<
  DraftDataset,
  | 'fields'
  | 'key'
  | 'period'
  | 'wide'
  | 'running'
  | 'repeatedValues'
  | 'labels'
  | 'name'
  | 'unnest'
  | 'columns'
  | 'files'
  | 'constants'
  | 'examples'
  | 'keyValues'
  | 'places'
>): readonly DraftField[] {
  const hasPeriod = period !== undefined;
  // Of columns for years, and of a number, only the file says what the values are.
  // A text that is the same in all rows says it too.
  const same = [...constants].flatMap((one) => examples.rows[0]?.get(one) ?? []);
  const titles = [...(files[0]?.titles ?? []), ...same].map(snake);
  const isOfPeople = titles.some((title) => PEOPLE_TITLE.test(title) && !EVENT_TITLE.test(title));
  const saysStock =
    unnest === undefined && (STOCK_NAME.test(name.replace(/^.*\./, '')) || isOfPeople);
  const hasStock = fields.some((field) => isMeasure(field, key) && STOCK_NAME.test(field.name));
  const meanTitle = files[0]?.titles
    ?.find((title) => MEAN_TITLE.test(snake(title)))
    ?.replaceAll(/^["',;\s]+|["',;\s]+$/g, '');
  const mixed = mixedDoubt({ fields, key, constants, keyValues, placeId: places?.id });
  const labelled = labelNames(labels);
  const amounts = fields.filter((field) => isMeasure(field, key) && !labelled.has(field.name));
  const isOnlyValue = ({ name }: DraftField) =>
    amounts.length === 1 || UNNAMED.test(name) || /^column_\d+$/.test(name);
  return fields.map((field) => {
    if (!isMeasure(field, key)) return field;
    const isOfFile = saysStock && UNNAMED.test(field.name);
    const isStock = isOfFile || (hasStock && PEOPLE_NAME.test(field.name));
    const own = proposalOf(field, hasPeriod);
    const label = own.additive === 'none' ? undefined : labels.get(field.name);
    const isMean = own.additive !== 'none' && UNNAMED.test(field.name) && meanTitle !== undefined;
    const isOfDay = MEAN_DAY.test(name) && own.additive === 'all';
    const isMixed = mixed !== undefined && own.additive !== 'none' && isOnlyValue(field);
    const unlabelled: Proposal = isMean
      ? {
          additive: 'none',
          doubt: `The line '${meanTitle.slice(0, 60)}' above the table suggests values that have a mean, but no sum. If they can be added up, write additive: all.`,
        }
      : isOfDay
        ? {
            additive: 'none',
            doubt:
              'The name of the file is that of means of the traffic of a day, which have no sum. If these are counts, write additive: all.',
          }
        : isMixed
          ? { additive: 'none', doubt: mixed }
          : own;
    const first = label === undefined ? unlabelled : ofLabel(label, unlabelled);
    const named = hasPeriod && isStock && first.additive === 'all' ? STOCK : first;
    const proposal = named.additive === 'all' && running.has(field.name) ? RUNNING : named;
    const isRepeated = wide?.repeated?.includes(field.column ?? '') === true;
    const isOnce =
      wide !== undefined && wide.repeated === undefined && isKept(field, wide, columns);
    const over = proposal.additive === 'none' ? undefined : repeatedValues.get(field.name);
    const { additive, doubt, note } = isRepeated
      ? ofRepeated(proposal)
      : isOnce
        ? ofKept(proposal, wide.name)
        : over === undefined
          ? proposal
          : ofSame(over);
    return {
      ...field,
      document: { ...field.document, additive },
      doubts: doubt === undefined ? field.doubts : [...field.doubts, doubt],
      notes: note === undefined ? field.notes : [...field.notes, note],
    };
  });
}

type Proposal = { readonly additive: Additivity; readonly doubt?: string; readonly note?: string };

function ofLabel(label: Label, own: Proposal): Proposal {
  switch (label.kind) {
    case 'small':
      return own.doubt === undefined
        ? {
            ...own,
            doubt: `It has only ${label.count} different values, from 0 on, so it is taken for a count. If it names something, as codes and levels do, write additive: none.`,
          }
        : own;
    case 'same':
      return { additive: 'none', note: 'All rows have the same value, as no amounts have.' };
    case 'year':
      return { additive: 'none', note: 'All its values can be years, which are no amounts.' };
    case 'part':
      return { additive: 'none', note: `It is ${label.part} of each row, which is no amount.` };
    case 'few':
      return {
        additive: 'none',
        doubt: `It has only ${label.count} different values, so it may name something, as codes and levels do. If these are amounts, write additive: all.`,
      };
  }
}

/** All places of a period have the same value, so a sum over them has no meaning. */
function ofRepeated({ additive }: Proposal): Proposal {
  return {
    additive: additive === 'all' || additive === 'periods' ? 'periods' : 'none',
    note: 'All places of a period have the same value.',
  };
}

/** Whether a column stays beside those that become rows. */
function isKept(field: DraftField, { used }: WideColumns, columns: readonly string[]): boolean {
  const { column = '' } = field;
  return columns.includes(column) && !used.includes(column);
}

/** The file has the value once for all periods, so a sum over them counts it several times. */
function ofKept(proposal: Proposal, name: string): Proposal {
  const { additive } = proposal;
  if (additive === 'none') return proposal;
  const isPeriod = !/^(hour|time_of_day)/.test(name);
  return {
    additive: isPeriod && (additive === 'all' || additive === 'places') ? 'places' : 'none',
    doubt: `Each row of the file has it once, and each new row repeats it for its ${name.replaceAll('_', ' ')}. If it is the value of one of them, or of all together, leave this field out.`,
  };
}

/** Rows that differ in one field of the key alone have the same value, such as the votes of all candidates. */
function ofSame(field: string): Proposal {
  return {
    additive: 'none',
    doubt: `Rows that differ in ${field} alone have the same value, so a sum would count it several times. If each row has an amount of its own, write additive: all.`,
  };
}

function proposalOf(
  { name: own, label, column, unit = unitOfName(column), document: { type, format } }: DraftField,
  hasPeriod: boolean,
): Proposal {
  // Of codes, only a row below them says what they are.
  const name = label === undefined ? own : snake(label);
  if (DISTINCT_NAME.test(name)) {
    return {
      additive: 'none',
      doubt:
        'Unique people cannot be added up, because one person can be in several rows. If these are visits, write additive: all.',
    };
  }
  if (isPlanarName(name)) {
    return { additive: 'none', note: 'Its name suggests a coordinate, and no amount.' };
  }
  if (type === 'integer' && isAgeBand(name)) {
    return {
      additive: hasPeriod ? 'places' : 'all',
      doubt:
        'Its name suggests how many are of an age, which adds up over places. If it is a mean, write additive: none.',
    };
  }
  if (type === 'integer' && isCategoryName(name)) {
    return { additive: 'none', note: 'Its name suggests a category, and no amount.' };
  }
  const kind = measureKind({ name, type, format, unit, least: 0 });
  if (kind === 'mean')
    return {
      additive: 'none',
      note: `Its ${unit === undefined ? 'name' : 'name or unit'} suggests a value that has a mean, but no sum.`,
    };
  if (RUNNING_NAME.test(name)) {
    return {
      additive: 'places',
      note: 'Its name is that of a running total, which adds up over places, but not over periods.',
    };
  }
  if (hasPeriod && STOCK_NAME.test(name)) {
    return STOCK;
  }
  const isNumbered = /_(no|nr)$/.test(name) && isCountedName(name);
  if (type === 'integer') {
    return { additive: isNumbered ? 'all' : defaultAdditivity({ name, type }) };
  }
  return kind === 'count'
    ? {
        additive: 'all',
        doubt: 'Its name suggests that it can be added up. If not, write additive: none.',
      }
    : { additive: 'none', doubt: 'If it can be added up, such as revenue, write additive: all.' };
}

const STOCK: Proposal = {
  additive: 'places',
  doubt:
    'Its name suggests a count at a point in time, which adds up over places, but not over periods. If it counts events, write additive: all.',
};

const UNNAMED =
  /^(obs_)?(value|values|number|count|total|n|anzahl|wert|valor|valore|valeur|antal|aantal|people|persons?|personen|personer|personas|personnes|persone|pessoas|osoby)$/;

/** Beside a number of inhabitants, those of some of them. */
const PEOPLE_NAME =
  /(^|_)(males?|females?|men|women|boys|girls|young|old|aged|adults|children|hh|families|hombres|mujeres|maenner|manner|frauen|hommes|femmes|maschi|femmine|uomini|donne|homens|mulheres)($|_|\d)/;

/** The title of a table of values that have no sum. */
const MEAN_TITLE =
  /(^|_)(averages?|means?|medians?|rates?|percent|percentages?|index|indices|moyennes?|promedios?|durchschnitt\w*|mittelwerte?|gemiddelde?|prozent|aadt|aadf)($|_)/;

/** Names of files with the mean traffic of a day of a year. */
const MEAN_DAY = /(^|[_.])(aadt|aadf|aawt|adt|dtv)($|_)/;

/** The title of a table about inhabitants, but not about what happens to them. */
const PEOPLE_TITLE =
  /(^|_)(population|poblacion|habitantes|einwohner|bevoe?lkerung|bevoe?lkerungsstand(es)?|claimants?|claimant_count|popolazione|populacao|folkmangd|befolkning|inwoners|inhabitants)($|_)/;
const EVENT_TITLE =
  /births?|deaths?|migra|growth|change|accident|crime|offence|visit|arriv|trips?|per_|rate|geburt|geboren|todes|gestorben|wander|naci|muert|defunc|naiss|deces/;

const RUNNING: Proposal = {
  additive: 'places',
  doubt:
    'It never falls from one day to the next, as a running total does, which adds up over places, but not over periods. If it counts the events of each day, write additive: all.',
};

/** What has been counted since a first day. */
const RUNNING_NAME =
  /(^|_)(n?cum|n?cumul|n?cumulative|cumulated|cumulato|cumule|cumules|cumulees?|kum|kumuliert|kumulativ|acumulados?|acumuladas?|running_total|to_date|ytd)($|_)/;
