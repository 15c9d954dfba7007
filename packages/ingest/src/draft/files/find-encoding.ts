import { analyse } from 'chardet';
import type { Encoding } from '../../manifest/read-schema.ts';

/** An encoding of a text that is not UTF-8, with what is doubtful about it. */
export type FoundLegacyEncoding = { readonly encoding: Encoding; readonly doubt: string };

/**
 * Finds it from the bytes: one of several bytes by the language that it would be, one of single bytes by the letters that
 * would be within words. Other encodings can have the same letters, so there is always a doubt, with an example.
 */
export function findLegacyEncoding(bytes: Buffer): FoundLegacyEncoding {
  const likely = analyse(bytes).map(({ name, confidence }) => ({
    encoding: name.toLowerCase(),
    confidence,
  }));
  const wide = likely.find(
    ({ encoding, confidence }) => WIDE.some((one) => one === encoding) && confidence >= WIDE_MIN,
  );
  const found = WIDE.find((one) => one === wide?.encoding);
  const isWide = (encoding: Encoding) => {
    const text = decode(bytes, encoding);
    return isWhole(text) && !isWithinWords(text);
  };
  if (found !== undefined && isWide(found)) {
    return { encoding: found, doubt: doubtOf(bytes, found, []) };
  }
  // The bytes of a few words say too little about their language.
  const short = likely.flatMap(({ encoding }) => WIDE.find((one) => one === encoding) ?? []);
  const [asian, ...alike] = short.filter(
    (encoding) => isWide(encoding) && isAsian(decode(bytes, encoding)),
  );
  const isC1 = bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
  const narrow = isC1 ? NARROW_WITH_C1 : NARROW;
  const ranked = narrow
    .map((encoding, index) => ({
      encoding,
      odd: countOdd(decode(bytes, encoding)),
      rare: countRare(decode(bytes, encoding)),
      confidence: likely.find((one) => one.encoding === encoding)?.confidence ?? 0,
      index,
    }))
    .toSorted(
      (left, right) =>
        left.odd - right.odd ||
        left.rare - right.rare ||
        right.confidence - left.confidence ||
        left.index - right.index,
    );
  const [best] = ranked;
  if (best === undefined) throw new Error('There are encodings of single bytes.');
  if (best.odd > 0 && asian !== undefined) {
    return { encoding: asian, doubt: doubtOf(bytes, asian, alike) };
  }
  const others = ranked.filter((one) => one !== best && one.odd === best.odd);
  return {
    encoding: best.encoding,
    doubt: doubtOf(
      bytes,
      best.encoding,
      others.map(({ encoding }) => encoding),
    ),
  };
}

const WIDE = ['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'] as const;
const WIDE_MIN = 30;
/** Without the bytes from 0x80 to 0x9f, which windows-1252 and iso-8859-1 read alike. */
const NARROW = ['iso-8859-1', 'iso-8859-15', 'iso-8859-2', 'windows-1251'] as const;
const NARROW_WITH_C1 = ['windows-1252', 'windows-1250', 'windows-1251', 'macintosh'] as const;

function decode(bytes: Buffer, encoding: Encoding): string {
  return encoding === 'iso-8859-1'
    ? bytes.toString('latin1')
    : new TextDecoder(encoding).decode(bytes);
}

/** Whether all characters are some, except one that the end of the bytes cuts. */
function isWhole(text: string): boolean {
  return !text.slice(0, -1).includes('\ufffd');
}

/** Whether most characters of several bytes would be between Latin letters: PRECIPITAÇÃO has two bytes that are one of gb18030. */
function isWithinWords(text: string): boolean {
  const runs = text.match(/\P{ASCII}+/gu)?.length ?? 0;
  const within = text.match(/(?<=[a-z])\P{ASCII}+(?=[a-z])/giu)?.length ?? 0;
  return within * 2 >= runs && within > 0;
}

/** Whether all characters beyond ASCII are those of Chinese, Japanese or Korean texts. */
function isAsian(text: string): boolean {
  return (
    isWhole(text) &&
    !/(?!\p{ASCII})[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff5e]/u.test(
      text.slice(0, -1),
    )
  );
}

/** The characters that no word has where they are: symbols within words, and capital letters after small ones. */
function countOdd(text: string): number {
  const symbols = text.match(
    /(?<=\p{L})[^\p{ASCII}\p{L}\p{M}’‘–—]|[^\p{ASCII}\p{L}\p{M}’‘–—](?=\p{L})/gu,
  );
  const capitals = text.match(
    /(?<=\p{Ll})(?!\p{ASCII})\p{Lu}|(?<=\p{L})(?!\p{ASCII})\p{Lu}(?=\p{Ll})|(?<=(?!\p{ASCII})\p{Ll})[A-Z]/gu,
  );
  const scripts = text.match(/(?<=[a-z])\p{Script=Cyrillic}|\p{Script=Cyrillic}(?=[a-z])/giu);
  const unknown = text.match(/[\ufffd\u0080-\u009f]/g);
  return (
    (symbols?.length ?? 0) +
    (capitals?.length ?? 0) +
    (scripts?.length ?? 0) +
    (unknown?.length ?? 0)
  );
}

/** The letters besides those of most texts in Latin letters. */
function countRare(text: string): number {
  const usual = /[äöüßéèêëçñáíóúàâîôûãõåæøœÄÖÜÉÈÊÇÑÁÍÓÚÅÆØ]/u;
  return (text.match(/(?!\p{ASCII})\p{Script=Latin}/gu) ?? []).filter((one) => !usual.test(one))
    .length;
}

function doubtOf(bytes: Buffer, encoding: Encoding, others: readonly Encoding[]): string {
  const words = decode(bytes, encoding).split(SPACES);
  const at = words.findIndex((word) => /(?!\p{ASCII})\p{L}/u.test(word));
  const example = (words[at] ?? '').slice(0, 40);
  const alike = others.flatMap((other) => {
    const word = decode(bytes, other).split(SPACES)[at]?.slice(0, 40);
    return word === undefined || word === example ? [] : [`'${word}' in ${other}`];
  });
  const shown = at < 0 ? '' : `, for example '${example}'`;
  const or = alike.length === 0 ? '' : ` It would be ${alike.join(', ')}.`;
  return `Not UTF-8, so it is read as ${encoding}${shown}.${or}`;
}

/** Separators of words and values. Their bytes mean the same in all encodings. */
const SPACES = /[\s,;|"]+/;
