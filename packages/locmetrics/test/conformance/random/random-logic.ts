import type { FilterLogic } from '@locmetrics/core/plan/parse-filter-logic';
import fc from 'fast-check';

export type WrittenLogic = FilterLogic;

/** Any expression that uses each of so many filters at least once. */
export function randomLogic(filterCount: number): fc.Arbitrary<WrittenLogic> {
  const { tree } = fc.letrec<{ tree: WrittenLogic; leaf: WrittenLogic }>((tie) => ({
    leaf: fc.nat({ max: filterCount - 1 }).map((index) => ({ kind: 'filter', index })),
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie('leaf'),
      tie('tree').map((part): WrittenLogic => ({ kind: 'not', part })),
      fc
        .tuple(fc.constantFrom('all', 'any'), fc.array(tie('tree'), { minLength: 2, maxLength: 3 }))
        .map(([kind, parts]): WrittenLogic => ({ kind, parts })),
    ),
  }));
  return fc.tuple(tree, fc.constantFrom('all', 'any')).map(([logic, kind]): WrittenLogic => {
    const used = new Set(filtersOf(logic));
    const unused = Array.from({ length: filterCount }, (_, index) => index).filter(
      (index) => !used.has(index),
    );
    if (unused.length === 0) return logic;
    return { kind, parts: [logic, ...unused.map((index) => ({ kind: 'filter', index }) as const)] };
  });
}

/** The question, whose filters are combined by a random expression in half of the cases. */
export function withRandomLogic<Question extends { readonly filters?: readonly unknown[] }>(
  question: Question,
): fc.Arbitrary<Question & { readonly filterLogic?: string }> {
  const { filters = [] } = question;
  if (filters.length === 0) return fc.constant(question);
  return fc
    .option(randomLogic(filters.length).map(writeLogic), { freq: 1, nil: '' })
    .map((filterLogic) => ({ ...question, filterLogic }));
}

function filtersOf(logic: WrittenLogic): readonly number[] {
  switch (logic.kind) {
    case 'filter':
      return [logic.index];
    case 'not':
      return filtersOf(logic.part);
    case 'all':
    case 'any':
      return logic.parts.flatMap(filtersOf);
  }
}

/** The text of an expression, with as few parentheses as possible. */
export function writeLogic(logic: WrittenLogic): string {
  switch (logic.kind) {
    case 'filter':
      return `$${logic.index}`;
    case 'not':
      return `NOT ${closed(logic.part, ['filter', 'not'])}`;
    case 'all':
      return logic.parts.map((part) => closed(part, ['filter', 'not'])).join(' AND ');
    case 'any':
      return logic.parts.map((part) => closed(part, ['filter', 'not', 'all'])).join(' or ');
  }
}

function closed(part: WrittenLogic, open: readonly WrittenLogic['kind'][]): string {
  return open.includes(part.kind) ? writeLogic(part) : `(${writeLogic(part)})`;
}
