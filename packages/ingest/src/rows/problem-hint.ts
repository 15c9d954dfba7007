import { noMarkReason } from '../formats/degrees-reading.ts';
import {
  EXCHANGED_REASON,
  INTEGER_RANGE_REASON,
  NOT_BOOLEAN_REASON,
  NOT_DATE_REASON,
  NOT_FLOAT_REASON,
  NOT_INTEGER_REASON,
} from '../formats/field-reading.ts';
import { NOT_CODE_REASON } from '../formats/value-reading.ts';
import { KEPT_KEY_REASON } from './base-rows.ts';

/** A hint on a refused value, if the value suggests what was meant. */
export function problemHint(reason: string, shown: string): string | undefined {
  const value = shown.trim();
  switch (reason) {
    case NOT_INTEGER_REASON:
    case NOT_FLOAT_REASON:
      if (meansAbsent(value)) return LEAVE_EMPTY;
      if (
        reason === NOT_FLOAT_REASON &&
        /[0-9] *[°º˚]|^[NSEW] *[0-9]|[0-9] *[NSEW]$/i.test(value)
      ) {
        return 'For degrees, minutes and seconds, or letters such as N, declare format: DMS.';
      }
      if (GROUPED_NUMBER.test(value)) {
        return `Write it without separators, or declare how the files write 1234: format: '${value.replace(/^.*?[0-9]([ ,_'\u00a0\u202f]).*$/, '1$1234')}'.`;
      }
      if (/^[+-]?[0-9]+,[0-9]+$/.test(value))
        return 'Write a decimal point, or declare the comma: format: 1234,5.';
      if (reason === NOT_INTEGER_REASON && /^[+-]?[0-9.]+(e[+-]?[0-9]+)?$/i.test(value)) {
        return 'Write it without a fraction, or declare the field as float.';
      }
      return undefined;
    case EXCHANGED_REASON:
      return 'Swap the two fields in the manifest (their columns, or lat and lng in the format), or the two values of the row.';
    case INTEGER_RANGE_REASON:
      return 'Declare the field as string if it is an identifier.';
    case NOT_BOOLEAN_REASON:
      if (meansAbsent(value)) return LEAVE_EMPTY;
      return /^[01]$/.test(value)
        ? 'Declare it: format: 1/0. Or declare the field as integer.'
        : `Declare how the files write true and false, such as format: ${wordsLike(value)}.`;
    case NOT_DATE_REASON:
      return meansAbsent(value)
        ? LEAVE_EMPTY
        : 'Write it like 2023-01-31, or declare how the files write dates, such as format: MM/DD/YYYY.';
    case noMarkReason('N or S'):
    case noMarkReason('E or W'):
      return `If values without a sign are north or east, declare it: format: -DMS. If all are west, add the letter: expression: '"Longitude" || ''W'''.`;
    default:
      if (reason.startsWith(NOT_CODE_REASON)) {
        return "Leave pad out, or cut the codes first with an expression, such as split_part(ZipCode, '-', 1).";
      }
      return reason.startsWith(KEPT_KEY_REASON)
        ? 'Leave the row out, replace the period of both with --replace-period, or publish all rows.'
        : undefined;
  }
}

/** Words for true and false, of which the value is probably one. */
function wordsLike(value: string): string {
  const words = [...WORDS_OF_BOOLEANS, ...WORDS_OF_BOOLEANS.map((pair) => pair.toUpperCase())];
  return words.find((pair) => pair.split('/').includes(value)) ?? 'yes/no';
}

const WORDS_OF_BOOLEANS = ['y/n', 'yes/no', 't/f', 'on/off', 'open/closed', 'ja/nein', 'oui/non'];

const LEAVE_EMPTY =
  'Leave absent values empty. Or declare the text that means absent: read: { nulls: [...] }.';
/** Whether a text among numbers means that there is none: such a word, an abbreviation, a letter in brackets, or no letter at all. */
function meansAbsent(value: string): boolean {
  return (
    ABSENT_WORDS.has(value.toLowerCase()) ||
    /^(\p{L}\. ?){2,}$|^\(\p{L}{1,3}\)$|^[\p{P}\p{S}]{1,4}$/u.test(value)
  );
}

const ABSENT_WORDS = new Set([
  'na',
  'n/a',
  '#n/a',
  'nan',
  'null',
  'none',
  'nil',
  'nd',
  's/d',
  'no data',
  'missing',
  'unknown',
  'unbekannt',
  'suppressed',
  '#ref!',
  '#value!',
  '#div/0!',
]);
const GROUPED_NUMBER = /^[+-]?[0-9]{1,3}([ ,_'\u00a0\u202f][0-9]{3})+([.][0-9]+)?$/;
