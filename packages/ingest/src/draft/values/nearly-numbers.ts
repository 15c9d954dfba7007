import { quoteIdentifier } from '@locmetrics/core/sql/quote-identifier';
import { monthPattern } from '../../manifest/month-names.ts';
import { isDateText } from '../files/date-formats.ts';
import { CODE_NAME } from './code-names.ts';
import { isNumberText } from './formatted-numbers.ts';
import { snake } from './valid-name.ts';

/** Why a column of nearly only numbers is read as text; undefined if it is none. */
export function nearlyNumbers(column: string, texts: readonly string[]): string | undefined {
  if (texts.length === 0 || CODE_NAME.test(snake(column))) return undefined;
  const trimmed = texts.map((text) => text.trim());
  if (trimmed.every((text) => PAIR.test(text))) return undefined;
  const others = trimmed.filter((text) => !isNumberText(text));
  const numbers = trimmed.filter((text) => isNumberText(text));
  const plain = numbers.every((text) => /^[+-]?\d+$/.test(text));
  const shown = others.slice(0, 5).map((text) => `'${text}'`);
  if (others.length === 0) {
    if (plain || numbers.some((text) => /^0\d|\d[.,]\d*[.,]\d{1,2}[.,]/.test(text)))
      return undefined;
    const kinds = [...Map.groupBy(numbers, (text) => text.replaceAll(/\d+/g, '1')).values()];
    const examples = kinds.slice(0, 3).map(([text = '']) => `'${text}'`);
    return `Numbers that are written in several ways: ${examples.join(', ')}. ${NO_MEASURE}`;
  }
  const isMost = plain
    ? numbers.length > 2 && others.length < 4 && numbers.length > 4 * others.length
    : numbers.length > 1 && others.length < 6 && numbers.length >= others.length;
  if (!isMost) return undefined;
  const found = `Numbers, except ${shown.join(', ')}.`;
  return others.some((text) => /\d/.test(text))
    ? `${found} ${NO_MEASURE}`
    : `${found} If these mean that a value is absent: read: { nulls: [${shown.join(', ')}] }, and type: integer or float.`;
}

/** Why a column of numbers with a sign or an abbreviation, such as ±123 and 52.1K, is read as text. */
export function abbreviatedNumbers(texts: readonly string[]): string | undefined {
  const trimmed = texts.map((text) => text.trim());
  const marked = trimmed.filter((text) => MARKED.test(text));
  const areNumbers = trimmed.every((text) => MARKED.test(text) || isNumberText(text));
  if (marked.length < 2 || !areNumbers) return undefined;
  return `Numbers with a sign or an abbreviation, such as '${marked[0]}'. ${NO_MEASURE}`;
}

const MARKED = /^([±~≈]\s*\d[\d.,]*|\d[\d.,]*\s?([KkM]|bn|mn|mio|tsd)[.]?)$/;

/** Why lists or objects are read as text. */
export function nestedTexts(texts: readonly string[]): string | undefined {
  const nested = texts.filter((text) => /^\s*(\[\s*\{|\{\s*")/.test(text));
  if (nested.length === 0 || nested.length < texts.length) return undefined;
  const [first = ''] = nested;
  const shown = first.length > SHOWN_MAX ? `${first.slice(0, SHOWN_MAX)}…` : first;
  return `Objects are read as texts, so what they contain is no record: '${shown}'. To serve it, write a file with a row for each of them.`;
}

const SHOWN_MAX = 60;

/** Both coordinates of a point in one text. */
const PAIR = /^[+-]?\d{1,3}[.]\d{3,}, *[+-]?\d{1,3}[.]\d{3,}$/;

const NO_MEASURE =
  'They are read as text, so they are no measure. An expression can make numbers of them.';

/** Why a column of nearly only dates is read as text; undefined if it is none. */
export function nearlyDates(column: string, texts: readonly string[]): string | undefined {
  const trimmed = texts.map((text) => text.trim());
  if (
    DATE_NAME.test(snake(column)) &&
    texts.length > 0 &&
    trimmed.every((text) => isLikeDate(text))
  ) {
    return `They seem to be dates, but in no format that is known: '${trimmed[0]}'. They are read as text, so there is no period. An expression can make dates of them.`;
  }
  if (
    DATE_NAME.test(snake(column)) &&
    texts.length > 0 &&
    trimmed.every((text) => DAY_OF_MONTH.test(text.replace(/(?<=\d)(st|nd|rd|th)\b/i, '')))
  ) {
    return `They seem to be days without a year: '${trimmed[0]}'. They are read as text, so there is no period. An expression can add the year, such as ${quoteIdentifier(column)} || ' 2024'.`;
  }
  const others = trimmed.filter((text) => !isDateText(text));
  if (texts.length < 2 || others.length * 2 > texts.length) return undefined;
  if (others.length > 0 && others.every((text) => /^(19|20)\d\d$/.test(text))) {
    const [period = ''] = trimmed.filter((text) => isDateText(text));
    return `Periods of several lengths: '${others[0]}', '${period}'. They are read as text, so there is no period. Keep those of one length: add to rows: - where: with a condition on ${quoteIdentifier(column)}, such as one with regexp_matches.`;
  }
  if (others.length > 0) {
    const shown = others.slice(0, 5).map((text) => `'${text}'`);
    return `Dates, except ${shown.join(', ')}. They are read as text, so there is no period. If these mean that a value is absent: read: { nulls: [${shown.join(', ')}] }.`;
  }
  const kinds = [...Map.groupBy(trimmed, (text) => text.replaceAll(/\d/g, '1')).values()];
  const examples = kinds.slice(0, 3).map(([text = '']) => `'${text}'`);
  return `Dates that are written in several ways: ${examples.join(', ')}. They are read as text, so there is no period. An expression can make dates of them.`;
}

const DATE_NAME =
  /(^|_)(date|day|datum|tag|fecha|dia|data|giorno|jour|month|monat|mois|mes|mese|week|period|time|timestamp|datetime|mtu|zeit|zeitraum|zeitpunkt|hora|heure|uhrzeit|updated|dato|tid|periode|periodo)($|_)/;

const MONTHS = [monthPattern('MMMM'), monthPattern('MMM')].join('|');
const DAY_OF_MONTH = new RegExp(
  `^((${MONTHS}) \\d{1,2}|\\d{1,2}[.]?[- ](${MONTHS})|\\d{1,2}[./]\\d{1,2}[.]?)$`,
  'iu',
);

/** A year, and a day or the name of a month. */
function isLikeDate(text: string): boolean {
  const isShort = text.length <= 40 && !isDateText(text);
  return (
    isShort && /(?<!\d)(19|20)\d\d(?!\d)/.test(text) && /(?<!\d)\d{1,2}(?!\d)|\p{L}{3}/u.test(text)
  );
}
