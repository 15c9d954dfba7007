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
    .map((encoding, index) => {
      const text = decode(bytes, encoding);
      const names = [encoding, ...(ALSO_CALLED[encoding] ?? [])];
      const language = findLanguage(text);
      return {
        encoding,
        odd: countOdd(text),
        language,
        rare: language === 0 ? 0 : countRare(text),
        confidence: likely.find((one) => names.includes(one.encoding))?.confidence ?? 0,
        index,
      };
    })
    .toSorted(
      (left, right) =>
        left.odd - right.odd ||
        left.language - right.language ||
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
/** Turkish, Greek, Hebrew, Arabic and Baltic. */
const REST = [
  ...(['windows-1254', 'windows-1253', 'windows-1255'] as const),
  ...(['windows-1256', 'windows-1257'] as const),
] as const;
/** Without the bytes from 0x80 to 0x9f, which windows-1252 and iso-8859-1 read alike. */
const NARROW = ['iso-8859-1', 'iso-8859-15', 'iso-8859-2', 'windows-1251', ...REST] as const;
const NARROW_WITH_C1 = [
  ...(['windows-1252', 'windows-1250', 'windows-1251', 'macintosh'] as const),
  ...REST,
] as const;

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
  const scripts = text.match(
    /(?<=\p{Script=Latin})(?!\p{Script=Latin})\p{L}|(?!\p{Script=Latin})\p{L}(?=\p{Script=Latin})/gu,
  );
  const unknown = text.match(/[\ufffd\u0080-\u009f]/g);
  return (
    (symbols?.length ?? 0) +
    (capitals?.length ?? 0) +
    (scripts?.length ?? 0) +
    (unknown?.length ?? 0)
  );
}

/** How unlikely it is that a language has all letters of a text: 0 if one does, more for letters that need others beside them. */
function findLanguage(text: string): number {
  // Portuguese has õ before an e alone.
  const letters = new Set(text.replaceAll(/õe/giu, 'e').match(/(?!\p{ASCII})[\p{L}\p{M}]/gu));
  const isOf = (language: RegExp): boolean => [...letters].every((letter) => language.test(letter));
  if (LANGUAGES.some(isOf)) return 0;
  // Names begin with capital letters, where there are some.
  const hasCapital = [...letters].some((letter) => /\p{Lu}/u.test(letter));
  if (isOf(/\p{Script=Cyrillic}/u)) return hasCapital ? 0 : 2;
  // Its letters with accents would be capital ones of Cyrillic within words.
  if (isOf(/\p{Script=Greek}/u)) return hasCapital ? 1 : 2;
  return isOf(ICELANDIC) ? 1 : 3;
}

/** The letters besides those of most texts in Latin letters, for texts of several languages. */
function countRare(text: string): number {
  const usual = /[äöüßéèêëçñáíóúàâîôûãõåæøœÄÖÜÉÈÊÇÑÁÍÓÚÅÆØ]/u;
  return (text.match(/(?!\p{ASCII})\p{Script=Latin}/gu) ?? []).filter((one) => !usual.test(one))
    .length;
}

/** The letters of languages that are not in ASCII. */
const LANGUAGES = [
  /[äöüß]/iu, // German
  /[àâæçéèêëîïôœùûüÿ]/iu, // French
  /[áéíñóúüªº]/iu, // Spanish
  /[ãáàâçéêíóôúüªº]/iu, // Portuguese, without õ
  /[àèéìòù]/iu, // Italian
  /[àçéèíïóòúü]/iu, // Catalan
  /[éëïöüóáèê]/iu, // Dutch
  /[åäöéü]/iu, // Swedish, Finnish
  /[æøåéöü]/iu, // Danish, Norwegian
  /[ąćęłńóśźż]/iu, // Polish
  /[áčďéěíňóřšťúůýžľĺŕôä]/iu, // Czech, Slovak
  /[áéíóöőúüű]/iu, // Hungarian
  /[ăâîşţ]/iu, // Romanian
  /[čćđšž]/iu, // Croatian, Slovenian
  /[çğıİöşüâÇĞÖŞÜÂ]/u, // Turkish
  /[äõöüšž]/iu, // Estonian
  /[āčēģīķļņšūž]/iu, // Latvian
  /[ąčęėįšųūž]/iu, // Lithuanian
  /[א-ת]/u, // Hebrew, without points
  /\p{Script=Arabic}/u,
];
/** Its letters besides vowels are at the places of Turkish ones, which more files have. */
const ICELANDIC = /[áðéíóúýþæö]/iu;

/** The names that chardet gives these encodings if no byte is between 0x80 and 0x9f. */
const ALSO_CALLED: Readonly<Partial<Record<Encoding, readonly string[]>>> = {
  'windows-1253': ['iso-8859-7'],
  'windows-1254': ['iso-8859-9'],
  'windows-1255': ['iso-8859-8'],
  'windows-1256': ['iso-8859-6'],
};

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
