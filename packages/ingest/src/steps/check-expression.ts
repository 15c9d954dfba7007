import type { ListRows } from '@locmetrics/column-store/publish/watched-connection';
import { quoteLiteral } from '@locmetrics/core/sql/quote-identifier';
import { listMembers, memberOf } from './select-rows.ts';
import { StepError } from './step-error.ts';

/**
 * Refuses a text that is not one expression over the columns of a row. Returns the names of the columns in it. The connection is sealed, so this is for clear
 * messages: a query in it would see all rows, and a window or an aggregate other rows than its own.
 */
export async function checkExpression(
  list: ListRows,
  text: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  // The line break ends a comment, which would hide the parenthesis.
  const query = `SELECT (${text}\n)`;
  const [row] = await list(`SELECT json_serialize_sql(${quoteLiteral(query)})::VARCHAR AS tree`);
  const tree: unknown = JSON.parse(String(row?.['tree']));
  const refuse = (reason: string): never => {
    throw new StepError(keys, {
      reason,
      hint: `Write one expression of DuckDB's SQL, such as "Type" = 'County' AND "Code" IS NOT NULL.`,
    });
  };
  const error = memberOf(tree, 'error_message');
  if (typeof error === 'string') refuse(`is not SQL (${error})`);
  const statements = memberOf(tree, 'statements');
  const [statement, ...more] = Array.isArray(statements) ? statements : [];
  const node = memberOf(statement, 'node');
  const selected = memberOf(node, 'select_list');
  const isOne =
    more.length === 0 &&
    memberOf(node, 'type') === 'SELECT_NODE' &&
    memberOf(memberOf(node, 'from_table'), 'type') === 'EMPTY' &&
    memberOf(node, 'where_clause') === null &&
    Array.isArray(selected) &&
    selected.length === 1;
  if (!isOne) refuse('is not one expression');
  const classes = new Set(listMembers(selected, 'class'));
  if (classes.has('SUBQUERY')) refuse('has a query inside, but an expression sees only one row');
  if (classes.has('WINDOW')) refuse('has a window function, but an expression sees only one row');
  if (classes.has('STAR')) refuse('has a *, but an expression must name its columns');
  return listMembers(selected, 'column_names').flatMap((names) =>
    Array.isArray(names) ? names.map(String) : [],
  );
}
