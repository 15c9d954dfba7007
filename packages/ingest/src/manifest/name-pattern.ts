/** A column with a part of the name of a file or of a sheet. */
export type NameColumn = {
  readonly column: string;
  /** `#` stands for a digit, `*` for any characters. */
  readonly pattern: string;
};

/** The part of a name from the first to the last placeholder of a pattern; undefined if it does not match. */
export function partOfName(pattern: string, name: string): string | undefined {
  return expressionOf(pattern)?.exec(name)?.[1];
}

/** Whether a pattern has a placeholder. */
export function hasPlaceholder(pattern: string): boolean {
  return /[#*]/.test(pattern);
}

/** The expression of a pattern, whose group is the part; undefined without a placeholder. */
export function expressionOf(pattern: string): RegExp | undefined {
  const first = pattern.search(/[#*]/);
  if (first < 0) return undefined;
  const last = pattern.length - 1 - [...pattern].reverse().join('').search(/[#*]/);
  return new RegExp(
    `^${RegExp.escape(pattern.slice(0, first))}(${toExpression(pattern.slice(first, last + 1))})${RegExp.escape(pattern.slice(last + 1))}$`,
    'su',
  );
}

function toExpression(pattern: string): string {
  return pattern
    .split(/([#*])/)
    .map((part) => (part === '#' ? '[0-9]' : part === '*' ? '.*' : RegExp.escape(part)))
    .join('');
}
