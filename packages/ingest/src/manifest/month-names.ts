const FULL_LENGTH_MAX = 5;

/**
 * The names of months that dates can have, in languages of twelve each: English first, then German, French, Spanish,
 * Portuguese, Italian, Dutch, Danish, Swedish, Norwegian, Finnish, Polish, Czech, Hungarian, Romanian, Russian and
 * Thai. No name means two months.
 */
const LONG = [
  'january february march april may june july august september october november december',
  'januar februar märz april mai juni juli august september oktober november dezember',
  'jänner feber maerz april mai juni juli august september oktober november dezember',
  'janvier février mars avril mai juin juillet août septembre octobre novembre décembre',
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro',
  'janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro',
  'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  'januari februari maart april mei juni juli augustus september oktober november december',
  'januar februar marts april maj juni juli august september oktober november december',
  'januari februari mars april maj juni juli augusti september oktober november december',
  'januar februar mars april mai juni juli august september oktober november desember',
  'tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu',
  'styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień',
  'leden únor březen duben květen červen červenec srpen září říjen listopad prosinec',
  'január február március április május június július augusztus szeptember október november december',
  'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia',
  'ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  'มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม พฤศจิกายน ธันวาคม',
].map((names) => names.split(' '));

const SHORT = [
  'jan feb mar apr may jun jul aug sep oct nov dec',
  'jan feb mar apr may june july aug sept oct nov dec',
  'jan feb mär apr mai jun jul aug sep okt nov dez',
  'jän feb mrz apr mai jun jul aug sept okt nov dez',
  'janv févr mars avr mai juin juil août sept oct nov déc',
  'janv fevr mars avr mai juin juil aout sept oct nov dec',
  'janv fév mars avr mai juin juil aou sept oct nov déc',
  'ene feb mar abr may jun jul ago sep oct nov dic',
  'jan fev mar abr mai jun jul ago set out nov dez',
  'gen feb mar apr mag giu lug ago set ott nov dic',
  'jan feb mrt apr mei jun jul aug sep okt nov dec',
  'jan feb mar apr maj jun jul aug sep okt nov dec',
  'jan feb mars apr mai juni juli aug sep okt nov des',
  'янв фев мар апр май июн июл авг сен окт ноя дек',
  'янв февр март апр май июнь июль авг сент окт нояб дек',
  'ม.ค ก.พ มี.ค เม.ย พ.ค มิ.ย ก.ค ส.ค ก.ย ต.ค พ.ย ธ.ค',
].map((names) => names.split(' '));

/** Short names are often written in full among abbreviations: March, Mai, juin. */
const NEARLY_SHORT = LONG.map((names) =>
  names.map((name, month) => (name.length <= FULL_LENGTH_MAX ? name : (SHORT[0]?.[month] ?? name))),
);

/** All names of a kind: the month of one is its index modulo twelve. */
export const MONTH_NAMES = {
  MMMM: LONG.flat(),
  MMM: [...SHORT, ...NEARLY_SHORT].flat(),
} as const;

/** A pattern of the names, the longest first. An abbreviation can end with a point. */
export function monthPattern(token: keyof typeof MONTH_NAMES): string {
  const names = [...new Set(MONTH_NAMES[token])].toSorted(
    (left, right) => right.length - left.length,
  );
  return `(?:${names.map((name) => name.replaceAll('.', '[.]')).join('|')})${token === 'MMM' ? '[.]?' : ''}`;
}
