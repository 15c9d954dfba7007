import { basename, dirname, resolve } from 'node:path';
import { addressPath, isAddress } from '../../manifest/source-address.ts';

/** A name of the manifest that resembles a text: `ParkName` is park_name. */
export function validName(text: string, other = 'column'): string {
  const words = plainLetters(withoutCorner(text))
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const name = /^[a-z]/.test(words) ? words : `${other}_${words}`;
  return name.slice(0, NAME_MAX).replace(/_+$/, '');
}

/** A name in lower-case words, for comparing. */
export function snake(text: string): string {
  return plainLetters(withoutCorner(text))
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
}

/** Letters without their marks, and those that are no letter with a mark: the dotless i of Yıl. */
function plainLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßıøØłŁđĐæÆœŒ]/g, (letter) => LETTERS[letter] ?? letter);
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  æ: 'ae',
  Æ: 'Ae',
  œ: 'oe',
  Œ: 'Oe',
};

/** A name without what the columns beside it are, or a label that only repeats it: of geo\TIME_PERIOD, geo; of REGION: Region, REGION. */
function withoutCorner(text: string): string {
  const [, code = '', label = ''] = /^(\w+): (.+)$/.exec(text) ?? [];
  const isRepeated =
    code !== '' && label.toLowerCase().replaceAll(/\W+/g, '_') === code.toLowerCase();
  return isRepeated ? code : (CORNER.exec(text)?.[1] ?? text);
}

/** Whether a name also has what the columns beside it are. */
export function isCorner(text: string): boolean {
  return CORNER.test(text);
}

const CORNER = /^([^\\]*\p{L}[^\\]*)\\[^\\]+$/u;

/** Shorter than the limit, so that a number or a suffix can follow. */
const NAME_MAX = 50;

/** Names that are all different: repeated ones get a number. */
export function distinctName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

/** The name of a dataset, product.dataset: the folder or the host, and the file. */
export function datasetNameOf(named: string, sheet?: string): string {
  const url = isAddress(named) ? URL.parse(addressPath(named)) : undefined;
  const file = url?.pathname ?? resolve(named);
  const folder = url?.hostname.replace(/^www\./, '') ?? basename(dirname(file));
  const stem = basename(file)
    .replace(/\.(gz|zip)$/i, '')
    .replace(/\.[a-z]{2,8}$/i, '');
  const name = sheet === undefined ? stem : `${stem}_${sheet}`;
  return `${validName(folder, 'data')}.${validName(name, 'file')}`;
}
