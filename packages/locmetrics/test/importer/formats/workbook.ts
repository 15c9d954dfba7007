import { zipArchive } from './zip-archive.ts';

/** A cell as XML without its place: `<v>1</v>`, or with attributes: ` t="b"><v>1</v>`. */
type Cell = string;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Text in the cell itself, a number with a style, and other cells. */
export const text = (value: string): Cell => ` t="inlineStr"><is><t>${value}</t></is>`;
export const shared = (index: number): Cell => ` t="s"><v>${index}</v>`;
export const number = (value: string, style = 0): Cell => ` s="${style}"><v>${value}</v>`;
export const other = (type: string, value: string): Cell => ` t="${type}"><v>${value}</v>`;

/** A sheet with texts and numbers: its rows from the first one on, without the cells that are blank. */
export function sheetOf(
  rows: readonly (readonly (string | number)[])[],
): Readonly<Record<number, Readonly<Record<string, Cell>>>> {
  return Object.fromEntries(
    rows.map((cells, index) => [
      index + 1,
      Object.fromEntries(
        cells.flatMap((value, column) =>
          value === ''
            ? []
            : [
                [
                  String.fromCharCode(65 + column),
                  typeof value === 'number' ? number(String(value)) : text(value),
                ],
              ],
        ),
      ),
    ]),
  );
}

/** Writes a workbook: the rows of each sheet by their number, and the cells of a row by their column. */
export function workbook({
  sheets,
  strings = [],
  formats = [],
  is1904 = false,
}: {
  readonly sheets: Readonly<
    Record<string, Readonly<Record<number, Readonly<Record<string, Cell>>>>>
  >;
  readonly strings?: readonly string[];
  /** The formats of the styles from 1 on. */
  readonly formats?: readonly string[];
  readonly is1904?: boolean;
}): Buffer {
  const names = Object.keys(sheets);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const files: Record<string, string> = {
    '[Content_Types].xml': `${XML}<Types/>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}">${relation('r1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `${XML}<x:workbook xmlns:x="x" xmlns:r="${OFFICE}"><x:workbookPr date1904="${is1904 ? 1 : 0}"/><x:sheets>${names
      .map((name, index) => `<x:sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`)
      .join('')}</x:sheets></x:workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}">${names
      .map((_, index) => relation(`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`))
      .join(
        '',
      )}${relation('t', 'sharedStrings', '/xl/sharedStrings.xml')}${relation('y', 'styles', 'styles.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `${XML}<sst ${MAIN}>${strings.map((one) => `<si>${one}</si>`).join('')}</sst>`,
    'xl/styles.xml': `${XML}<styleSheet ${MAIN}><numFmts>${formats
      .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${code}"/>`)
      .join(
        '',
      )}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((code, index) => `<xf numFmtId="${code === '' ? 14 : 164 + index}"/>`)
      .join('')}</cellXfs></styleSheet>`,
  };
  for (const [index, name] of names.entries()) {
    const rows = Object.entries(sheets[name] ?? {}).map(
      ([row, cells]) =>
        `<row r="${row}">${Object.entries(cells)
          .map(([column, cell]) => `<c r="${column}${row}"${cell}</c>`)
          .join('')}</row>`,
    );
    files[`xl/worksheets/sheet${index}.xml`] =
      `${XML}<worksheet ${MAIN}><sheetData>${rows.join('')}</sheetData></worksheet>`;
  }
  return zipArchive(files);
}
