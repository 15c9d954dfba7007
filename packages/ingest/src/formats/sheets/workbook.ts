import { posix } from 'node:path';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { sizeText } from '@locmetrics/core/errors/size-text';
import type { Entry } from 'yauzl';
import { isDateFormat } from '../cell-date.ts';
import { readXml, type XmlEvent } from '../read-xml.ts';
import { UnreadableText } from '../unreadable-text.ts';
import { openZipArchive, type ReadLimits, type ZipArchive } from '../zip-archive.ts';

/** A sheet of an Excel workbook (.xlsx), and what its cells refer to. */
export type OpenSheet = {
  readonly name: string;
  /** The XML of the sheet. */
  readonly read: () => AsyncGenerator<readonly XmlEvent[]>;
  readonly sharedStrings: readonly string[];
  /** For each style of cells: whether its numbers are shown as dates. */
  readonly dateStyles: readonly boolean[];
  /** For each style of cells: the digits that its numbers are filled up to with zeros, or 0. */
  readonly zeroStyles: readonly number[];
  /** Whether days are counted from 1904, as old workbooks of macOS do. */
  readonly is1904: boolean;
  readonly close: () => void;
};

/** Opens the sheet with the given name, or the first one. */
export async function openSheet(
  path: string,
  sheetName: string | undefined,
  limits: ReadLimits,
): Promise<OpenSheet> {
  const archive = await openZipArchive(path, limits);
  try {
    const workbook = await readWorkbook(archive);
    const { name, target } = chooseSheet(workbook.sheets, sheetName);
    const entry = findEntry(archive, target);
    if (entry === undefined) throw notWorkbook(`it has no part ${target}`);
    return {
      name,
      read: () => readXml(archive.read(entry, limits.onRead), target),
      sharedStrings: await readSharedStrings(archive, workbook.sharedStrings),
      ...(await readStyles(archive, workbook.styles)),
      is1904: workbook.is1904,
      close: archive.close,
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/** The names of the sheets that have cells, in their order. */
export async function listSheets(
  path: string,
  limits: { readonly unpackedBytesMax: number },
): Promise<readonly string[]> {
  const archive = await openZipArchive(path, limits);
  try {
    return (await readWorkbook(archive)).sheets.map(({ name }) => name);
  } finally {
    archive.close();
  }
}

type Workbook = {
  readonly sheets: readonly { readonly name: string; readonly target: string }[];
  readonly sharedStrings: string | undefined;
  readonly styles: string | undefined;
  readonly is1904: boolean;
};

async function readWorkbook(archive: ZipArchive): Promise<Workbook> {
  const relations = await readRelations(archive, '_rels/.rels', '');
  const path = relations.find(({ type }) => type.endsWith('/officeDocument'))?.target;
  const entry = path === undefined ? undefined : findEntry(archive, path);
  if (path === undefined || entry === undefined) throw notWorkbook('it has no workbook');
  const folder = posix.dirname(path);
  const parts = await readRelations(
    archive,
    `${folder}/_rels/${posix.basename(path)}.rels`,
    folder,
  );
  const sheets: { readonly name: string; readonly target: string }[] = [];
  let is1904 = false;
  for await (const events of readXml(archive.read(entry), path)) {
    for (const event of events) {
      if (event.kind !== 'open') continue;
      const { name, attributes } = event;
      if (name === 'workbookPr') is1904 = ['1', 'true'].includes(attributes.get('date1904') ?? '');
      if (name !== 'sheet') continue;
      const part = parts.find(({ id }) => id === attributes.get('id'));
      // A sheet of a chart has no cells.
      if (part?.type.endsWith('/worksheet') !== true) continue;
      sheets.push({ name: attributes.get('name') ?? '', target: part.target });
    }
  }
  const targetOf = (kind: string) => parts.find(({ type }) => type.endsWith(kind))?.target;
  return {
    sheets,
    sharedStrings: targetOf('/sharedStrings'),
    styles: targetOf('/styles'),
    is1904,
  };
}

type Relation = { readonly id: string; readonly type: string; readonly target: string };

async function readRelations(
  archive: ZipArchive,
  path: string,
  folder: string,
): Promise<readonly Relation[]> {
  const entry = findEntry(archive, path);
  if (entry === undefined) throw notWorkbook(`it has no part ${path}`);
  const relations: Relation[] = [];
  for await (const events of readXml(archive.read(entry), path)) {
    for (const event of events) {
      if (event.kind !== 'open' || event.name !== 'Relationship') continue;
      const target = event.attributes.get('Target') ?? '';
      relations.push({
        id: event.attributes.get('Id') ?? '',
        type: event.attributes.get('Type') ?? '',
        target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
      });
    }
  }
  return relations;
}

function chooseSheet(
  sheets: Workbook['sheets'],
  name: string | undefined,
): Workbook['sheets'][number] {
  const sheet = name === undefined ? sheets[0] : sheets.find((one) => one.name === name);
  if (sheet !== undefined) return sheet;
  if (name === undefined) throw notWorkbook('it has no sheet');
  throw new UnreadableText({
    reason: `has no sheet '${name}'`,
    hint: nameHint(
      name,
      sheets.map((one) => one.name),
    ),
  });
}

function findEntry(archive: ZipArchive, path: string): Entry | undefined {
  const wanted = path.toLowerCase();
  return archive.entries.find(({ fileName }) => fileName.toLowerCase() === wanted);
}

/** The texts that cells refer to by number. They are kept in memory, so their size is limited. */
async function readSharedStrings(
  archive: ZipArchive,
  path: string | undefined,
): Promise<readonly string[]> {
  const entry = path === undefined ? undefined : findEntry(archive, path);
  if (path === undefined || entry === undefined) return [];
  if (entry.uncompressedSize > STRINGS_BYTES_MAX) {
    throw new UnreadableText({
      reason: `is a workbook with ${sizeText(entry.uncompressedSize)} of texts, but at most ${sizeText(STRINGS_BYTES_MAX)} are read`,
      hint: 'Save the sheet as CSV in UTF-8.',
    });
  }
  const strings: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  for await (const events of readXml(archive.read(entry), path)) {
    for (const event of events) {
      if (event.kind === 'text') {
        if (isText && !isPhonetic) text += event.text;
        if (text.length > CELL_LENGTH_MAX) {
          throw new UnreadableText({
            reason: `is a workbook with a text of more than ${CELL_LENGTH_MAX.toLocaleString('en-US')} characters`,
            hint: 'Excel writes at most 32,767: the workbook is damaged or malicious. Save it again.',
          });
        }
        continue;
      }
      const isOpen = event.kind === 'open';
      if (event.name === 't') isText = isOpen;
      // The reading of Japanese characters is beside the text, not a part of it.
      if (event.name === 'rPh') isPhonetic = isOpen;
      if (event.name !== 'si') continue;
      if (!isOpen) strings.push(unescapeCell(text));
      text = '';
    }
  }
  return strings;
}

const STRINGS_BYTES_MAX = 2 ** 28;

/** Far more than Excel writes, and little enough to be refused before it fills the memory. */
export const CELL_LENGTH_MAX = 2 ** 20;

/** Control characters are written as _x000D_, because XML has none. */
export function unescapeCell(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

async function readStyles(
  archive: ZipArchive,
  path: string | undefined,
): Promise<Pick<OpenSheet, 'dateStyles' | 'zeroStyles'>> {
  const entry = path === undefined ? undefined : findEntry(archive, path);
  if (path === undefined || entry === undefined) return { dateStyles: [], zeroStyles: [] };
  const formats = new Map<number, string>();
  const dateStyles: boolean[] = [];
  const zeroStyles: number[] = [];
  let isCellStyle = false;
  for await (const events of readXml(archive.read(entry), path)) {
    for (const event of events) {
      if (event.kind === 'text') continue;
      if (event.name === 'cellXfs') isCellStyle = event.kind === 'open';
      if (event.kind === 'close') continue;
      const id = Number(event.attributes.get('numFmtId'));
      if (event.name === 'numFmt') formats.set(id, event.attributes.get('formatCode') ?? '');
      if (event.name !== 'xf' || !isCellStyle) continue;
      dateStyles.push(isDateFormat(id, formats.get(id)));
      zeroStyles.push(/^(0{2,})(;.*)?$/.exec(formats.get(id) ?? '')?.[1]?.length ?? 0);
    }
  }
  return { dateStyles, zeroStyles };
}

function notWorkbook(reason: string): UnreadableText {
  return new UnreadableText({
    reason: `is not an Excel workbook: ${reason}`,
    hint: 'Save it as .xlsx, or declare its format.',
  });
}
