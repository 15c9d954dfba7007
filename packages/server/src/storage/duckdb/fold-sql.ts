import { strict as assert } from 'node:assert';
import { foldCharacter } from '../../domain/text-fold.ts';
import { quoteLiteral } from '../../sql/quote-identifier.ts';

/**
 * Only the first two planes of Unicode have letters with a case: the others are ideographs, tags and for
 * private use. Looking at those too takes eight times as long, once for each dataset that is published.
 */
const CASED_POINTS_END = 0x2_0000;

/** Runs a query whose rows are wanted. */
export type ListRows = (
  sql: string,
) => Promise<readonly Readonly<Record<string, string | number | null>>[]>;

/** The SQL that folds a text, given as SQL. */
export type FoldSql = (text: string) => string;

/**
 * Makes the SQL of `foldText`. DuckDB's `lower()` is a fold by code point as well, but of an older
 * Unicode: the code points on which they differ are looked for, so that it holds for every release
 * of both, and put right before it is called.
 */
export async function openFoldSql(list: ListRows): Promise<FoldSql> {
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
    // Else lower() would change what was put right.
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
