import { MEAN_NAME } from '@locmetrics/core/domain/additivity';
import { snake } from './valid-name.ts';

/** A measure can be added up, or only averaged; `unclear` if neither its name nor its numbers tell. */
export type MeasureKind = 'count' | 'mean' | 'unclear';

/** How rows of a measure can become one, by its name, its type and its least number. */
export function measureKind({
  name,
  type,
  format,
  unit = '',
  least,
}: {
  readonly name: string;
  readonly type: string;
  readonly format?: string | undefined;
  readonly unit?: string | undefined;
  readonly least: number;
}): MeasureKind {
  const words = snake(name);
  if (type === 'integer' && isAgeBand(name)) return 'count';
  if (
    MEAN_NAME.test(words) ||
    MEAN_WORD.test(words) ||
    POLLUTANT_NAME.test(words) ||
    DISTANCE_NAME.test(words) ||
    /[%‰°]/.test(format ?? '') ||
    MEAN_UNIT.test(unit)
  )
    return 'mean';
  if (COUNT_NAME.test(words)) return 'count';
  return type === 'integer' && least >= 0 ? 'count' : 'unclear';
}

/** The same as MEAN_NAME in other languages, and the names of mean days of traffic. */
const MEAN_WORD =
  /(^|_)(margins?_of_error|moe|snow_on_gr(ou)?nd|gemiddeld\w*|durchschnitt\w*|mittel(wert)?|moyen(ne)?s?|medi[ao]s?|promedios?|gennemsnit\w*|genomsnitt\w*|gjennomsnitt\w*|medel\w*|keskim\w*|sredni\w*|prumer\w*|tasas?|taux|tasso|tassi|taxa|quote|anteil|prozent|procent\w*|porcentaje|porcentagem|pourcentage|percentuale|preis|prix|precio|prezzo|preco|prijs|temperatur|temperatura|densite|densidad|densidade|densita|dichte|altitud|altitudine|hoehe|elevacion|elevazione|velocidad\w*|vmed|velocita|vitesse|geschwindigkeit|snelheid|ocupacion|occupation|belegung|sq_?ft|square_(feet|metres|meters)|gla|wdir|wind_?dir\w*|windrichtung|direction_of_wind|aadt|aadf|aawt|adt|dtv\w{0,3}|tvmax|tjm|tgm|dwv|tmjo|dnwv|tmjno)($|_)/;

/** Whether a name such as `Age: 0-4` is that of how many people have an age. */
export function isAgeBand(name: string): boolean {
  return /(^|_)(ages?|aged|edad|alter|eta|idade)_?(under_|over_|unter_|ueber_)?\d+/.test(
    snake(name),
  );
}

/** What the air has of them is measured, and not counted. */
const POLLUTANT_NAME =
  /(^|_)(ozone|ozon|(sul(f|ph)ur|nitrogen)_dioxide|carbon_monoxide|nitrous_oxide|so2|nox|pm_?1|pm_?2_5|black_carbon)($|_)/;

/** Whether whole numbers stand for what something is like, such as location_type, and are no amounts. */
export function isCategoryName(name: string): boolean {
  return CATEGORY_NAME.test(snake(name));
}

const CATEGORY_NAME =
  /(^|_)(type|typ|tipo|class|category|kind|status|flag|quality|validity|verification|version|poc|magnitud|wheelchair_boarding|decimals|scalar|severity|sector|section|level|lvl|stratum|time_?zone)$|(^|_)(port|plug|lane|track|gate|platform|floor|strasse|str|road|highway|police)_?(number|num|no|nr|force)$|^q_|^(uom|scalar)_|^(time|hr)$|(^|_)sort_?order$|(^|_)(quality|quality_?(flag|level|code)|qualitaet\w*|qualitat\w*|qn)(_?\d+)?$|(house|street|building)_?(number|num|no)$|(haus|huis|strassen|k)_?(nummer|nr)$|(^|_)h_nr$|(^|_)num(ero)?_(rue|voie|via|calle)$|(adresse|address|direccion|indirizzo)_num(ero|ber)?$|(^|_)interval(_?(id|no|number|index))?$|^(is|has)_/;

/** Whether a name is that of a coordinate on a plane, which is no amount. */
export function isPlanarName(name: string): boolean {
  return PLANAR_NAME.test(snake(name));
}

const PLANAR_NAME =
  /^(point|utm|x|y|e|n|lv95|lv03|rw|hw)_?(koord\w*|coord\w*)$|^(point|utm|(koord|coord)\w*)_?[xyen]$|(^|_)(easting|northing)s?($|_)/;

/** The usual distance of visitors from their home, and not a distance that was covered. */
const DISTANCE_NAME = /(^|_)distance_(from|to)(_|$)/;

/** Units of shares, of temperatures and pressures, and of values per something. */
const MEAN_UNIT = /[%‰°º/]|^(deg[cf]?|[hk]?pa|mbar|pp[mb]|mph|kn|kts|per .+|pro .+)$/i;

/** The unit that the name of a column ends with, in brackets: Humidity (%). */
export function unitOfName(column: string | undefined): string | undefined {
  return /[([]([^\s)\]]{1,8})[)\]]\s*$/.exec(column ?? '')?.[1];
}

/** Whether a name such as passengers_no is that of how many there are, and not of which one it is, as station_no. */
export function isCountedName(name: string): boolean {
  const words = snake(name).replace(/(^|_)(no|nr|num|number)$/, '');
  if (words === '' || MEAN_NAME.test(words) || MEAN_WORD.test(words)) return false;
  const isPlural = /[a-z]{3,}[^s]s$/.test(words) && !/(series|bus|status|gas|census)$/.test(words);
  return isPlural || COUNT_NAME.test(words);
}

/** Words for how many there are. */
export const COUNT_NAME =
  /(^|_)(counts?|cnts?|totals?|visits?|visitors?|passengers?|riders?|ridership|trips?|nights?|arrivals?|departures?|guests?|persons?|people|population|births|deaths|cases|sales|revenue|amount|volume|quantity|sum|number|num|entries|exits|boardings|alightings|vehicles|cars|bikes|pedestrians|flights|units|jobs|establishments|households|students|crossings|incidents|accidents|pob|pobtot|poblacion|habitantes|einwohner|bevoelkerung|bevolkerung|popolazione|residenti|populacao|folkmangd|befolkning|inwoners|besucher|gaeste|gaste|ankuenfte|ankunfte|uebernachtungen|ubernachtungen|fahrgaeste|fahrgaste|einsteiger|aussteiger|fahrzeuge|velos|fussgaenger|fussganger|visitantes|viajeros|pasajeros|entradas|salidas|vehiculos|turistas|pernoctaciones|visiteurs|voyageurs|nuitees|arrivees|vehicules|visitatori|passeggeri|presenze|arrivi|bezoekers|reizigers|orders|tickets|hours|rain|rainfall|precip|prcp|precipitation|snow|snowfall|comptages?|conteos?|conteggio|conteggi|contagem|contagens|anzahl|aantal|antal|antall|liczba|lukumaara)($|_)/;

/** How many there are at a time, mostly the same ones at the next. */
export const STOCK_NAME =
  /(^|[_.])(population|pop|pop_?\d+|totpop|tot_pop|hh|pob|pobtot|poblacion|habitantes|einwohner|bevoelkerung|bevolkerung|bevoe?lkerungsstand|popolazione|residenti|populacao|folkmangd|befolkning|inwoners|enroll?ments?|enrolled|claimants?|claimant_count|employed|unemployed|labou?r_force|workforce|jobs|inhabitants|residents|households|employees|staff|members|subscribers|beds|capacity|seats|spaces|lanes|docks|berths|floors|storeys|stores|outlets|branches|chargers|connectors|stock|devices|samples|active|inventory|vacancy|vacancies|current|currently|available|occupied)($|_)/;
