import { strict as assert } from 'node:assert';
import { foldCharacter } from '../../../domain/text-fold.ts';
import { quoteLiteral } from '../../../sql/quote-identifier.ts';
import type { ListRows } from './watched-connection.ts';

/**
 * Only the first two planes of Unicode have letters with a case: the others are ideographs, tags and
 * private use. Checking those too takes eight times as long, once for each published dataset.
 */
const CASED_POINTS_END = 0x2_0000;

/** The SQL that folds a text, given as SQL. */
export type FoldSql = (text: string) => string;

let known: FoldSql | undefined;

/**
 * Makes the SQL of `foldText`. DuckDB's `lower()` also folds by code point, but by an older Unicode
 * version. The code points on which both differ are detected at run time, once in a process, so that the
 * result is right for every release of both, and are replaced before `lower()` is called.
 */
export async function openFoldSql(list: ListRows): Promise<FoldSql> {
  known ??= await compareFolds(list);
  return known;
}

async function compareFolds(list: ListRows): Promise<FoldSql> {
  const rows = await list(
    `SELECT chr(point::INTEGER) AS character, lower(chr(point::INTEGER)) AS folded
      FROM range(1, ${CASED_POINTS_END}) AS points(point)
      WHERE point NOT BETWEEN 55296 AND 57343 AND lower(chr(point::INTEGER)) <> chr(point::INTEGER)`,
  );
  const lowered = new Map(rows.map((row) => [String(row['character']), String(row['folded'])]));
  const from: string[] = [];
  const to: string[] = [];
  for (const character of new Set([...changedByFold(), ...lowered.keys()])) {
    const folded = foldCharacter(character);
    if ((lowered.get(character) ?? character) === folded) continue;
    // Otherwise lower() would change the replacements again.
    assert.equal(lowered.get(folded) ?? folded, folded);
    from.push(character);
    to.push(folded);
  }
  const translated = (text: string) =>
    `translate(${text}, ${quoteLiteral(from.join(''))}, ${quoteLiteral(to.join(''))})`;
  // A text of as many bytes as characters is ASCII, which nearly all are.
  return (text) =>
    `CASE WHEN strlen(${text}) = length(${text}) THEN lower(${text})
      ELSE lower(${translated(text)}) END`;
}

function changedByFold(): readonly string[] {
  const characters: string[] = [];
  for (let point = 0; point < CASED_POINTS_END; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const character = String.fromCodePoint(point);
    if (character.toLowerCase() !== character) characters.push(character);
  }
  return characters;
}
