import { MEAN_NAME } from '@locmetrics/core/domain/additivity';
import type { DraftField } from '../values/draft-fields.ts';
import { snake } from '../values/valid-name.ts';
import type { FoundKey } from './find-key.ts';

/**
 * Why the rows of one column of values cannot be added up: they have several units, or some of them are means, such as
 * TMAX beside PRCP.
 */
export function mixedDoubt({
  fields,
  key,
  constants,
  keyValues,
  placeId,
}: {
  readonly fields: readonly DraftField[];
  readonly key: FoundKey;
  /** Fields with one value. */
  readonly constants: ReadonlySet<string>;
  /** The different values of the fields of the key. */
  readonly keyValues: ReadonlyMap<string, ReadonlySet<string>>;
  readonly placeId: string | undefined;
}): string | undefined {
  const unit = fields.find(
    ({ name, document }) =>
      document.type === 'string' && UNIT_NAME.test(name) && !constants.has(name),
  );
  // A part of a station can be called a unit.
  const areCodes = [...(keyValues.get(unit?.name ?? '') ?? [])].some((text) => /\d{2}/.test(text));
  if (unit !== undefined && !areCodes) {
    return `The rows have several units, by ${unit.name}, so a sum of all of them means nothing. If callers keep to one unit, write additive: all.`;
  }
  const kind = key.fields.find((name) => INDICATOR_NAME.test(name) && !constants.has(name));
  if (kind !== undefined && kind !== placeId) {
    return `The rows have several kinds of values, by ${kind}, so a sum of all of them means nothing. If callers keep to one kind, write additive: all.`;
  }
  for (const [name, values] of keyValues) {
    if (name === placeId || !key.fields.includes(name) || values.size > VALUES_MAX) continue;
    const mean = [...values].find((value) => MEAN_NAME.test(snake(value)));
    if (mean !== undefined) {
      return `The rows with ${name} '${mean}' seem to be values that have a mean, but no sum. If all can be added up, write additive: all.`;
    }
  }
  return undefined;
}

const VALUES_MAX = 40;

/** Names of columns that say of which kind the value of a row is. */
const INDICATOR_NAME =
  /^(indic(_\w+)?|indicators?|indicador(es)?|indicateurs?|indicatore|indicatori|indikator(en)?|indikatorer|variables?|variabili|variabelen|measures?|statistics?|statistikk?variabe?l|tipo_dato\d*|kennzahl(en)?)(_(id|code|name|label))?$/;

const UNIT_NAME =
  /^(unit|units|uom|unit_?measure|units?_of_(measure|measurement)|parameter_units?|einheit|unite|unidad(_de_medida)?|unita(_di_misura)?|eenheid|enhet|value_unit)$/;
