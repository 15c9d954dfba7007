import type { ImportConnection } from '@locmetrics/column-store/publish/import-connection';
import { findRepeatedMember } from '@locmetrics/core/errors/repeated-member';
import { shownValue } from '../problems/import-error.ts';
import type { JsonDocuments } from './json-documents.ts';

/** SQL of the objects that are read of each document. */
export type ReadObjects = {
  /** The list of the keys that are the columns. */
  readonly columns: string;
  /** The lists of the keys of further objects with members that are read. */
  readonly others: readonly string[];
  /** The object whose values may be objects that are read as a whole. */
  readonly nested: string;
};

export type JsonKeys = {
  /** The most frequent first. */
  readonly columns: readonly string[];
  /** SQL of the reason to refuse a document because of a member that an object has twice; NULL if there is none. */
  readonly repeatedReason: string;
};

/**
 * Lists the keys of all documents, and finds out whether an object of them may have a member twice. The engine silently
 * reads the first one, so such a row is refused. Documents with the same keys are checked once. Only files with a
 * repeated key, or with objects within objects, are searched again, by a function that is slower.
 */
export async function listJsonKeys(
  connection: ImportConnection,
  { query, parameters }: JsonDocuments,
  { columns, others, nested }: ReadObjects,
): Promise<JsonKeys> {
  const lists = [columns, ...others];
  const named = lists.map((list, index) => `${list} AS keys_${index}`);
  const repeated = lists.map((_, index) => hasRepeatedKey(`keys_${index}`));
  // A document without keys has the flags all the same.
  const rows = await connection.list(
    `SELECT key, bool_or(is_repeated)::VARCHAR AS is_repeated, bool_or(is_nested)::VARCHAR AS is_nested
      FROM (SELECT unnest(CASE WHEN coalesce(len(keys_0), 0) = 0 THEN [NULL::VARCHAR] ELSE keys_0 END) AS key,
        documents, is_nested, ${repeated.join(' OR ')} AS is_repeated
        FROM (SELECT ${lists.map((_, index) => `keys_${index}`).join(', ')}, count(*) AS documents,
          bool_or(is_nested) AS is_nested
          FROM (SELECT ${named.join(', ')}, ${hasNestedObject(nested)} AS is_nested FROM (${query}))
          GROUP BY ALL))
      GROUP BY key ORDER BY sum(documents) DESC, key`,
    parameters,
  );
  const conditions = [
    ...(rows.some((row) => row['is_repeated'] === 'true') ? lists.map(hasRepeatedKey) : []),
    ...(rows.some((row) => row['is_nested'] === 'true') ? [hasNestedObject(nested)] : []),
  ];
  return {
    columns: rows.flatMap(({ key }) => (typeof key === 'string' ? [key] : [])),
    repeatedReason:
      conditions.length === 0
        ? 'NULL'
        : `CASE WHEN ${conditions.join(' OR ')}
            THEN nullif(${REPEATED_MEMBER_FUNCTION}(document::VARCHAR), '') END`,
  };
}

function hasRepeatedKey(keys: string): string {
  return `coalesce(len(list_distinct(${keys})) < len(${keys}), false)`;
}

/** A brace within a text counts, too: the function decides. */
function hasNestedObject(object: string): string {
  return `coalesce(contains(substr((${object})::VARCHAR, 2), '{'), false)`;
}

const REPEATED_MEMBER_FUNCTION = 'repeated_json_member';

/** The functions that `repeatedReason` calls. */
export const JSON_KEY_FUNCTIONS = {
  [REPEATED_MEMBER_FUNCTION]: (text: string): string => {
    const repeated = findRepeatedMember(text, JSON.parse(text));
    return repeated === undefined ? '' : repeatedMemberReason(repeated.path.join('.'));
  },
};

/** The reason to refuse an object, by the names that lead to its member. */
export function repeatedMemberReason(path: string): string {
  return `has the member ${shownValue(path)} twice`;
}
