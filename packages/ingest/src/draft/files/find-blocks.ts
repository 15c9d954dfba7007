import { isDateText } from './date-formats.ts';
import { type Cells, isNumber } from './find-header.ts';

/** The columns of one of several tables beside each other. */
export type Block = {
  /** Their positions from 1. */
  readonly first: number;
  readonly last: number;
  /** The names in the header. */
  readonly names: Cells;
};

/**
 * Finds tables side by side: a blank column is between them, or the names of one repeat those of the other. One table can have a blank
 * column too, so each part must look like a table.
 */
export function findBlocks(header: Cells, body: readonly Cells[]): readonly Block[] {
  const repeated = repeatedBlocks(header);
  if (repeated.length > 1) return repeated;
  // A single cell is a note below the table.
  const rows = body.filter((row) => row.filter((cell) => cell !== '').length > 1);
  const width = Math.max(header.length, ...rows.map((row) => row.length));
  const isBlank = (index: number) => [header, ...rows].every((row) => (row[index] ?? '') === '');
  const blocks: Block[] = [];
  for (let index = 0; index < width; index += 1) {
    if (isBlank(index)) continue;
    const last = blocks.at(-1);
    const name = header[index] ?? '';
    if (last !== undefined && last.last === index) {
      blocks[blocks.length - 1] = { ...last, last: index + 1, names: [...last.names, name] };
    } else blocks.push({ first: index + 1, last: index + 1, names: [name] });
  }
  return blocks.length > 1 &&
    blocks.every((block) => isTable(block, rows)) &&
    areApart(blocks, rows)
    ? blocks
    : [];
}

/** The names of the columns are those of a first part, again and again. */
function repeatedBlocks(header: Cells): readonly Block[] {
  for (let size = 2; size <= header.length / 2; size += 1) {
    if (header.length % size !== 0) continue;
    const names = header.slice(0, size);
    const isSame = header.every((name, index) => name !== '' && name === names[index % size]);
    if (!isSame || new Set(names).size < size) continue;
    return Array.from({ length: header.length / size }, (_, index) => ({
      first: index * size + 1,
      last: (index + 1) * size,
      names,
    }));
  }
  return [];
}

/** Whether the rows of a part begin with something to tell them apart, and have something to say about it. */
function isTable({ first, last, names }: Block, rows: readonly Cells[]): boolean {
  if (last - first < 1 || names[0] === '') return false;
  const texts = rows.map((row) => row[first - 1] ?? '').filter((cell) => cell !== '');
  const numbers = texts.filter(isNumber).length;
  const isKey = numbers * 2 < texts.length || texts.every(isDateText) || texts.every(isCode);
  return texts.length > 1 && isKey && new Set(texts).size > texts.length / 2;
}

function areNumbers(cells: Cells): boolean {
  return cells.every((cell) => cell === '' || (isNumber(cell) && !YEAR.test(cell)));
}

const YEAR = /^(19|20)\d\d$/;

/** A code, a year or a month, and no number with decimals. */
function isCode(cell: string): boolean {
  return /^\d{4,8}$/.test(cell);
}

/** Whether the parts have a name in common, or one has rows where the other has none, or each has numbers of its own. */
function areApart(blocks: readonly Block[], rows: readonly Cells[]): boolean {
  const names = blocks.flatMap((block) => [...new Set(block.names)]);
  const cellsOf = (row: Cells, { first, last }: Block) => row.slice(first - 1, last);
  // A shorter table ends before the other one.
  const lengths = blocks.map((block) => {
    const isFilled = rows.map((row) => cellsOf(row, block).some((cell) => cell !== ''));
    return isFilled.lastIndexOf(true) + 1 === isFilled.filter(Boolean).length
      ? isFilled.lastIndexOf(true) + 1
      : undefined;
  });
  const isUneven = !lengths.includes(undefined) && new Set(lengths).size > 1;
  // Numbers that are no years can be those of the first table, after a blank column.
  const haveNumbers = blocks.every(
    (block) =>
      rows.some((row) => cellsOf(row, block).slice(1).some(isNumber)) &&
      !areNumbers(rows.map((row) => cellsOf(row, block)[0] ?? '')),
  );
  return new Set(names).size < names.length || isUneven || haveNumbers;
}
