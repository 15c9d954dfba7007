import type { CommandShape, ValueShape } from './command-shapes.ts';

export type FlagGroup = { readonly value: ValueShape; readonly flags: readonly string[] };

/** The flags with a value, grouped by its kind. A flag has the same kind of value in every command. */
export function flagsByValue(shapes: readonly CommandShape[]): readonly FlagGroup[] {
  const groups = new Map<string, { readonly value: ValueShape; readonly flags: Set<string> }>();
  for (const { flag, value } of shapes.flatMap(({ flags }) => flags)) {
    if (value === 'nothing') continue;
    const group = groups.get(String(value)) ?? { value, flags: new Set() };
    groups.set(String(value), group);
    group.flags.add(flag);
  }
  return [...groups.values()].map(({ value, flags }) => ({ value, flags: [...flags] }));
}

/** The flags of the groups as a shell pattern: `--data|--config`. */
export function flagPattern(groups: readonly FlagGroup[]): string {
  return groups.flatMap(({ flags }) => flags).join('|');
}

/** Whether the flags of a group may be given without their value. */
export function isSwitch({ value }: FlagGroup): boolean {
  return typeof value !== 'string' && value.includes('on');
}
