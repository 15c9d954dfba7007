import { isCountedName } from '../values/measure-kind.ts';

/** The role of a field in a key. */
export type KeyRole =
  /** A code that identifies something, such as that of a place. */
  | 'code'
  /** A code that other files rarely have, such as the number of a row in a register. */
  | 'other_code'
  /** A whole number whose name or position says that it identifies a place. */
  | 'place'
  /** An hour, an age group, a direction: it tells rows of a place apart, and never identifies one alone. */
  | 'dimension'
  | 'name'
  /** A text that rarely identifies something, such as an address or a postal code. */
  | 'text'
  /** A whole number that can be anything. */
  | 'number'
  | 'period'
  /** It only counts the rows of the file. */
  | 'row_number'
  /** A number that says something, a coordinate, or the date of an event. */
  | 'measure';

/** Whether a column has the street of an address. */
export function isAddressName(words: string): boolean {
  return /(^|_)(address|street|strasse|adresse|direccion|calle|rue|addr)\w*($|_)/.test(words);
}

/** Whether a code identifies rows, beside one that identifies places. */
export function isRecordId(words: string): boolean {
  return /^(_?id|uid|record_?id|row_?id|objectid|object_id)$/.test(words);
}

/** The role of a field by its name, its type and its values. */
export function keyRole({
  words,
  type,
  isCode,
  isFirst,
  isFilled,
  hasAddress,
  distinctCount,
  rowCount,
  least,
  greatest,
  wordCount,
}: {
  /** The name in lower-case words. */
  readonly words: string;
  readonly type: string;
  readonly isCode: boolean;
  /** Whether it is the first field of the file. */
  readonly isFirst: boolean;
  /** Whether each row has a value. */
  readonly isFilled: boolean;
  /** Whether the file has addresses. */
  readonly hasAddress: boolean;
  readonly distinctCount: number;
  readonly rowCount: number;
  readonly least: number;
  readonly greatest: number;
  /** How many words a text has, in the mean. */
  readonly wordCount: number;
}): KeyRole {
  if (type === 'boolean') return 'dimension';
  if (type === 'string') {
    if (CONTACT_NAME.test(words)) return 'text';
    if (POSTAL_NAME.test(words)) return hasAddress ? 'text' : 'other_code';
    if (FLAG_NAME.test(words) || VALUE_NAME.test(words) || SERIES_NAME.test(words)) return 'text';
    if (isCode || KNOWN_CODE.test(words)) return codeRole(words);
    if (STATISTIC_DIMENSION.test(words)) return 'dimension';
    if (DIMENSION_NAME.test(words)) return 'dimension';
    return PROSE_NAME.test(words) || wordCount >= PROSE_WORDS ? 'text' : 'name';
  }
  if (type !== 'integer') return 'measure';
  const isCounted = isCountedName(words) || STATISTIC_NAME.test(words);
  const isDimension =
    DIMENSION_NAME.test(words) && !exceedsPart(words, greatest) && !NUMBERED_PART.test(words);
  const areHours = /^(hours|horas|ore|heures|stunden)$/.test(words) && least >= 0 && greatest <= 24;
  if (areHours && distinctCount >= HOURS_MIN && rowCount > distinctCount) return 'dimension';
  if (isDimension && distinctCount <= DIMENSION_MAX) {
    return isCounted ? 'measure' : 'dimension';
  }
  if (isCounted || MEASURE_NAME.test(words) || NUMBERED_PART.test(words) || least < 0) {
    return 'measure';
  }
  if (PLACE_NAME.test(words)) return 'place';
  // A first column of numbers identifies something, unless it counts the rows.
  const counts = distinctCount === rowCount && greatest - least === rowCount - 1 && least <= 1;
  // Places are rarely numbered from zero, and counts often are.
  const isNumbered = least > 0 || distinctCount === rowCount;
  return isFirst && isFilled && isNumbered && !counts && !RANK_NAME.test(words)
    ? 'place'
    : 'number';
}

function codeRole(words: string): KeyRole {
  if (CATEGORY_NAME.test(words) || TIME_NUMBER_NAME.test(words)) return 'dimension';
  return OTHER_CODE_NAME.test(words) ? 'other_code' : 'code';
}

/** Whether numbers are too great for the part of time that their name says: counts of weekdays are called weekday, too. */
function exceedsPart(words: string, greatest: number): boolean {
  return PARTS_OF_TIME.some(({ name, most }) => name.test(words) && greatest > most);
}

const PARTS_OF_TIME = [
  { name: /^(weekday|wochentag|dow|saturday|sunday|sat|sun|samstag|sonntag)$/, most: 7 },
  { name: /^(quarter|qtr|quartal|trimestre)$/, most: 4 },
];

/** How many go in a direction or in a lane, of which there is a column each. */
const NUMBERED_PART = /(^|_)(direction|richtung|direccion|direzione|sens|lane|spur)_?\d$/;

const DIMENSION_MAX = 400;
/** Numbers of hours are rarely all those of a day. */
const HOURS_MIN = 23;

const DIMENSION_NAME =
  /(^|_)(hour|hr|hora|ora|heure|stunde|uhrzeit|zeit|tijd|tijdstip|godzina|klokkeslett|franja|franja_horaria|minute|time|age|age_?gro?u?p|agegr|edad|alter|level|class|klasse|type|tipo|category|month|mon|monat|mois|mes|mese|maand|quarter|qtr|quartal|trimestre|week|woche|kw|semana|semaine|weekday|wochentag|dow|day|tag|dia|jour|year|yr|jahr|jaar|annee|anno|ano|anio|yil|poc|period|periodo|periode|party|partei|candidate|kandidat|contest|direction|richtung|lane|group|shift|season|sex|sexo|sexe|gender|geschlecht)($|_)/;

/** What tables of statistics offices (SDMX) are divided by, beside the area and the period. */
export const STATISTIC_DIMENSION =
  /^(freq|frequency|unit|unit_measure|indic(_\w+)?|indicator|variable|s_adj|na_item|coicop\d*|isced\d*|tra_meas|tra_cov|c_resid)$/;

/** What says something about the value of a row, and not about its place. */
export const FLAG_NAME = /(^|_)(flags?|obs_status|conf_status|footnotes?)$/;

/** What stands for a whole series of values: for its area, and for all else that the table is divided by. */
const SERIES_NAME =
  /^(vector|vecteur|coordinate|coordonnees?|(time_)?series_?(id|code|key)|zeitreihen?_?(id|code|schluessel))$/;

/** Values that are no numbers, such as 12.3 [10-14]. */
const VALUE_NAME = /(^|_)(obs_)?(value|val|valor|wert|valeur|valore|hodnota)$/;

/** Numbers that were computed, whatever else their names say. */
const STATISTIC_NAME =
  /(^|_)(median|mean|avg|average|rate|ratio|share|percent|pct|per|sum|built|opened|founded)($|_)/;

const MEASURE_NAME =
  /^[a-z]$|(^|_)(value|val|values|valor|wert|valeur|valore|ha|hectares?|hectareas?|area|flaeche|superficie|km|km2|m2|sqm|sqft|acres|length|width|height|depth|size|weight|capacity|elevation|altitude|price|cost|income|score|rating|index|pop|poblacion|einwohner|aland|awater|speed|temp|temperature|distance|duration|dwell|samples?|estimate)($|_|\d)/;

/** Whether a name is that of the areas of a table of statistics, whatever else its rows are divided by. */
export function isAreaName(words: string): boolean {
  return /^(geo|ref_area|area)(_?(code|cd|id|key))?$/.test(words) || PLACE_NAME.test(words);
}

const RANK_NAME = /(^|_)(rank|rang|rank_no|position|pos|order|sort|seq|lfd|nr|no)$/;

/** Nouns for what a row is about, alone or with what says that it is a number of it. */
export const PLACE_NAME =
  /(^|_)(state|county|region|division|district|distrito|municipality|municipio|commune|comune|comuna|province|provincia|provinz|canton|kanton|zone|zona|tract|block|place|site|station|estacion|stazione|stop|store|shop|branch|sensor|detector|counter|location|loc|borough|precinct|beat|parcel|partido|departamento|ward|barrio|sector|segment|camera|gauge|well|route|gemeinde|bezirk|kreis|landkreis|bundesland|standort|zaehlstelle|zahlstelle|messstelle|school|facility|property|building|venue|poi|origin|destination|origen|destino|origine|destinazione|herkunft|ziel|airport|port|country|taz|cell|tile|neighborhood|park|hub|dock|terminal)(_?(id|no|nr|num|number|nummer|code|key|cod|codigo))?$/;

const KNOWN_CODE =
  /^(geo|ref_area|placekey|h3|h3_\w+|geohash|quadkey|cve_\w+|codigo|cod_\w+|\w+_cod|ags|lsoa\w*)$/;

const CONTACT_NAME = /(^|_)(phone|telephone|tel|fax|e?mail|url|website|web)($|_)/;

/** A place by itself, but beside an address only a part of it. */
const POSTAL_NAME =
  /(^|_)(zip|zipcode|zcta\d*|postal|postcode|postalcode|plz|cap)($|_)|^(zip|postal)/;

const PROSE_NAME =
  /(^|_)(address|street|comments?|notes?|remarks?|description|desc|bemerkung|observaciones|hinweis|source|image|link)($|_)/;

/** Headlines and sentences have more words than the names of places. */
const PROSE_WORDS = 6;

/** Codes of what something is like, and not of which one it is. */
const CATEGORY_NAME =
  /(^|_)(type|typ|tipo|class|category|kind|status|reason|quality|weather|flag|lsad|sumlev|naics|nace|nace_r\d|sic|currency|sex|gender|age|group|direction|purpose|mode|lang|language)($|_)|^units?$/;

const TIME_NUMBER_NAME = /(^|_)(week|day|month|quarter|hour|woche|monat|tag|semana|kw)($|_)/;

const OTHER_CODE_NAME = /ns$|(^|_)(uuid|guid|globalid|global_id|hash|ein|siret|siren|sku)($|_)/;
