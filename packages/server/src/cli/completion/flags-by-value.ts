import type { CommandShape, ValueShape } from './command-shapes.ts';

export type FlagGroup = { readonly value: ValueShape; readonly flags: readonly string[] };

/** The flags that take a value, put together by what it is; a flag takes the same wherever it is. */
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

/** The flags of the groups as a pattern of a shell: `--data|--config`. */
export function flagPattern(groups: readonly FlagGroup[]): string {
  return groups.flatMap(({ flags }) => flags).join('|');
}

/** Whether a group is of switches, which may stand without their value. */
export function isSwitch({ value }: FlagGroup): boolean {
  return typeof value !== 'string' && value.includes('on');
}
