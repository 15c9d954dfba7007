import { isCountedName } from './measure-kind.ts';
import { snake } from './valid-name.ts';

/** Names of columns with codes, which stay texts also if they are digits. */
export const CODE_NAME =
  /(^|_)(id|ids|identifiant|identificador|identificativo|identifier|kennung|code|codes|codigo|cod|cve|clave|kod|fips|zip|zipcode|zcta|postal|postcode|postleitzahl|plz|npa|codpostal|iata|icao|imei|imsi|iccid|msisdn|vin|serial|barcode|caid|maid|adid|geoid|geoids|cbg|ein|phone|telephone|telefon|fax|sku|upc|ean|gtin|isbn|npi|ccn|duns|cbsa|csa|msa|puma|mdiv|tract|tractce|blkgrpce|blockgroup|statefp|countyfp|stcou|naics|naics2|sic|nace|isic|noga|nuts|lau|bfs|siret|siren|insee|refnis|nis|codgeo|depcom|istat|procom|ibge|ine|ags|ars|teryt|gid|uuid|guid|key|lid|uic|bpuic|didok|sloid|nlc|crs|m49|ccn3|iso|isonum|kennziffer|kennzahl|gkz|nummer|kommunenr|gemeindenr|gdenr|stationsnr)($|_|\d)|(fp|code|codes|fips|geoid|_?id|name)$/;

/** Names of what has an id rather than a quantity: `station` with 1001, but not `stations`. */
const PLACE_NAME =
  /(^|_)(site|station|stop|store|shop|branch|location|place|sensor|detector|zone|district|distrito|distretto|county|state|region|municipality|gemeinde|kreis|bezirk|kanton|canton|province|provincia|provincie|municipio|partido|comuna|comune|commune|departement|departamento|kommune|stadtteil|quartier|barrio|ward|borough|precinct|facility|property|building|device|venue|poi|merchant|brand|airport|puesto|estacion|haltestelle|zaehlstelle|zahlstelle|messstelle|origin|origen|origine|herkunft|destination|destino|destinazione)$/;

const NUMBER_NAME = /(^|_)(no|nr)$/;

/** Whether a whole number in a column is a code, by the name of the column. */
export function isCodeName(column: string, digits: readonly string[]): boolean {
  const name = snake(column);
  if (MEASURE_END.test(name)) return false;
  if (CODE_NAME.test(name)) return true;
  // 0 and 1 say whether there is one.
  if (PLACE_NAME.test(name)) return !digits.includes('0') && digits.some((text) => text !== '1');
  return NUMBER_NAME.test(name) && !isCountedName(name) && !digits.includes('0');
}

/** Numbers that are codes by their shape, whatever the name of their column is; undefined for others. */
export function codesByShape(column: string, digits: readonly string[]): LostZeros | undefined {
  const name = snake(column);
  if (isCountedName(column) || MEASURE_END.test(name)) return undefined;
  const lengths = new Set(digits.map(({ length }) => length));
  const [length = 0, ...others] = lengths;
  if (others.length === 0 && length >= LONG_CODE && digits.length >= LONG_CODES_MIN) {
    return {
      doubt: `Read as codes, because all have ${length} digits. If they are numbers, write type: integer.`,
    };
  }
  return countyCodes(digits);
}

function countyCodes(digits: readonly string[]): LostZeros | undefined {
  if (!areCounties(digits)) return undefined;
  const found = 'Read as codes, because all numbers could be codes of counties of the USA (FIPS)';
  const short = digits.find((code) => code.length === 4);
  return short === undefined
    ? { doubt: `${found}. If they are numbers, write type: integer.` }
    : {
        pad: 5,
        doubt: `${found}: ${short} is 0${short}. If they are numbers, write type: integer.`,
      };
}

const LONG_CODE = 8;
const LONG_CODES_MIN = 3;

/** The numbers of counties are odd, after that of a state: few other numbers are all so. */
function areCounties(digits: readonly string[]): boolean {
  if (digits.length < COUNTIES_MIN) return false;
  const odd = digits.filter((code) => Number(code) % 2 === 1).length;
  return (
    odd >= digits.length * ODD_MIN &&
    digits.every(
      (code) =>
        (code.length === 4 || code.length === 5) &&
        CODE_STATES.has(code.padStart(5, '0').slice(0, 2)),
    )
  );
}

const COUNTIES_MIN = 12;
const ODD_MIN = 0.95;

/** Whether a place name can also be that of how many there are, such as shop. */
export function canBeCount(column: string, digits: readonly string[]): boolean {
  return COUNTED_PLACE.test(snake(column)) && digits.some((text) => text.length === 1);
}

const COUNTED_PLACE =
  /(^|_)(store|shop|branch|building|property|facility|poi|venue|device|sensor|airport|merchant|brand|place|stop|station)$/;

/** Codes of a classification can have a point, such as the tract 101.02. */
export const POINTED_CODE = /(^|_)(tract|nace|isic|noga|sic|icd|dewey)($|_)/;

/** The last word of a name says what there is of it: `tract_population` is no tract. */
const MEASURE_END =
  /_(counts?|totals?|visits?|visitors?|population|pop|people|persons?|households|jobs|cases|deaths|births|trips?|share|rate|ratio|pct|percent|percentage|avg|average|mean|median|sum|area|density|income|value|amount)$/;

/** How codes get back the zeros at the start that a program has removed. */
export type LostZeros = {
  /** The digits of the whole code; for codes of states and counties in one column there is an expression. */
  readonly pad?: number;
  readonly expression?: (text: string) => string;
  readonly doubt: string;
};

/** The usual lengths of codes by their names show whether zeros at the start are missing. */
export function lostZeros(column: string, digits: readonly string[]): LostZeros | undefined {
  const name = snake(column);
  const system = CODE_LENGTHS.find(({ names }) => names.test(name));
  if (system === undefined) {
    const counties = countyCodes(digits);
    return counties?.pad === undefined ? unknownZeros(name, digits) : counties;
  }
  const { usual, lost, hasLevels = false, least = 0, isStatePrefix } = system;
  const lengths = [...new Set(digits.map(({ length }) => length))].toSorted((a, b) => a - b);
  const [shortest = 0] = lengths;
  const longest = lengths.at(-1) ?? 0;
  const next = longest + 1;
  // Codes of another length by their states: 61130112061 is 061130112061.
  const isShifted =
    isStatePrefix === true &&
    lengths.length === 1 &&
    usual.includes(next) &&
    digits.some((code) => !CODE_STATES.has(code.slice(0, 2)));
  const areWhole = lengths.every((length) => usual.includes(length)) && !isShifted;
  const areLevels = hasLevels && longest - shortest > lost;
  if (areWhole && (lengths.length === 1 || areLevels)) return undefined;
  const found = `Codes of ${shortest === longest ? shortest : `${shortest} to ${longest}`} digits`;
  const pad = isShifted
    ? next
    : usual.find((length) => longest >= least && length >= longest && shortest >= length - lost);
  const example = digits.find(({ length }) => length < (pad ?? longest)) ?? '';
  if (pad !== undefined) {
    const unsure = longest < pad ? ` If ${longest} digits are the whole code, remove pad.` : '';
    return {
      pad,
      doubt: `${found}, so leading zeros seem to be missing: they are padded to ${pad}, and ${example} is ${example.padStart(pad, '0')}.${unsure}`,
    };
  }
  if (hasLevels && lengths.every((length) => [1, 2, 4, 5].includes(length))) {
    return {
      expression: (text) =>
        `lpad(trim(${text}), CASE WHEN length(trim(${text})) > 2 THEN 5 ELSE 2 END, '0')`,
      doubt: `${found}, so states and counties seem to be mixed, and leading zeros to be missing: they are padded to 2 or 5 digits.`,
    };
  }
  return {
    doubt: `${found}, but such codes have ${usual.join(' or ')}. If leading zeros are missing, add pad.`,
  };
}

/** Codes of two lengths that are no numbers in sequence can have lost a zero. */
function unknownZeros(name: string, digits: readonly string[]): LostZeros | undefined {
  const lengths = [...new Set(digits.map(({ length }) => length))].toSorted((a, b) => a - b);
  const [shorter = 0, longer = 0, ...more] = lengths;
  const numbers = digits.map(Number);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const isSparse = digits.length < (greatest - least) * SPARSE_MAX;
  const isLost = more.length === 0 && longer === shorter + 1 && longer >= 4 && isSparse;
  if (!isLost || !AREA_CODE_NAME.test(name)) return undefined;
  return {
    doubt: `Codes of ${shorter} or ${longer} digits. If leading zeros are missing, add pad: ${longer}.`,
  };
}

const SPARSE_MAX = 0.1;
const AREA_CODE_NAME =
  /(^|_)(code|cod|codigo|clave|cve|kod|kennziffer|kennzahl|schluessel|schlussel|geo|area|region|district|county|municipality|municipio|commune|comune|gemeinde|kreis|province|provincia|canton|kanton|stadtteil)($|_)|nr$/;

/** The same for codes some of which have letters, such as 1001 beside 2A004, which pad refuses. */
export function lostZerosOfLetters(
  column: string,
  texts: readonly string[],
): LostZeros | undefined {
  const name = snake(column);
  const [length, ...others] = CODE_LENGTHS.find(({ names }) => names.test(name))?.usual ?? [];
  if (length === undefined || others.length > 0) return undefined;
  const areCodes = texts.every((text) => /^[0-9A-Z]+$/i.test(text) && text.length <= length);
  const lettered = texts.filter((text) => /[A-Z]/i.test(text));
  const short = texts.filter((text) => text.length < length);
  const isLost =
    areCodes &&
    lettered.length > 0 &&
    short.length > 0 &&
    short.every((text) => /^[1-9]\d*$/.test(text) && text.length === length - 1);
  if (!isLost) return undefined;
  const [example = ''] = short;
  return {
    expression: (text) => `lpad(trim(${text}), ${length}, '0')`,
    doubt: `Codes of ${length - 1} to ${length} digits and letters, so leading zeros seem to be missing: ${example} is ${example.padStart(length, '0')}.`,
  };
}

/** The lengths of codes in digits, and how many zeros they can begin with. */
const CODE_LENGTHS: readonly {
  readonly names: RegExp;
  readonly usual: readonly number[];
  readonly lost: number;
  /** The digits that the longest has at least; shorter ones are numbers in a name. */
  readonly least?: number;
  /** Whether codes of several lengths can be in one column. */
  readonly hasLevels?: boolean;
  /** Whether they begin with the code of a state of the USA. */
  readonly isStatePrefix?: boolean;
}[] = [
  { names: /zip|zcta/, usual: [5, 9], lost: 2 },
  { names: /postal|plz|postleitzahl|codpostal|postcode/, usual: [4, 5], lost: 1 },
  { names: /tract(ce)?(_|$)/, usual: [6, 11], lost: 3, least: 5 },
  {
    names: /state_?(fips|fp|code|ansi)|(fips|fp|code)_?state|^statefp|^(state|st)$/,
    usual: [2],
    lost: 1,
  },
  {
    names: /(county|cnty|cty)_?(fips|fp|code|ansi|ns)|(fips|fp|code)_?(county|cnty)|^county$/,
    usual: [3, 5],
    lost: 2,
  },
  { names: /cbgs?$|block_?group$/, usual: [12], lost: 1 },
  {
    names: /fips|geo_?id|stcou|census_block/,
    usual: [2, 5, 7, 11, 12, 15],
    lost: 1,
    hasLevels: true,
    isStatePrefix: true,
  },
  { names: /insee|codgeo|depcom|commune|(^|_)ine($|_)|cod_?mun/, usual: [5], lost: 1 },
  { names: /(^|_)ags($|_)/, usual: [2, 5, 8], lost: 1, hasLevels: true },
  { names: /(^|_)ars($|_)/, usual: [2, 5, 9, 12], lost: 1, hasLevels: true },
  { names: /istat|pro_?com/, usual: [6], lost: 2 },
  { names: /(cod|codigo|cve|clave)_?(prov|ent)/, usual: [2], lost: 1 },
  { names: /(cve|clave)_?mun/, usual: [3], lost: 2 },
  { names: /m49|ccn3|iso_?n3|iso_?numeric|un_code/, usual: [3], lost: 2 },
  { names: /kommune(nr|kode|kod|nummer)?$/, usual: [4], lost: 1 },
  { names: /teryt/, usual: [2, 4, 7], lost: 1, hasLevels: true },
];

/** The codes of states and territories of the USA. */
export const CODE_STATES: ReadonlySet<string> = new Set(
  Array.from({ length: 56 }, (_, index) => index + 1)
    .filter((code) => ![3, 7, 14, 43, 52].includes(code))
    .concat(60, 66, 69, 72, 78)
    .map((code) => String(code).padStart(2, '0')),
);
