/** Members of groups. The first to leave is a member of the largest group, so a flood of one group ends itself. */
export type Crowd<Member> = {
  /** Without a group the member is one of its own. */
  readonly add: (member: Member, group: string | undefined) => void;
  /** Makes it the youngest of its group. */
  readonly renew: (member: Member) => void;
  /** Makes it leave before the members of its group that are not expendable. */
  readonly expend: (member: Member) => void;
  readonly remove: (member: Member) => void;
  readonly size: () => number;
  /** The member that leaves first. */
  readonly first: () => Member | undefined;
  readonly firstOf: (group: string) => Member | undefined;
};

export function openCrowd<Member>(): Crowd<Member> {
  const groups = new Map<string | symbol, Group<Member>>();
  const groupOf = new Map<Member, string | symbol>();
  /** The groups by their size, so that the largest is found at once among thousands. */
  const bySize: Set<string | symbol>[] = [];
  let largest = 0;

  const move = (group: string | symbol, from: number, to: number): void => {
    bySize[from]?.delete(group);
    bySize[to] ??= new Set();
    if (to > 0) bySize[to].add(group);
    largest = Math.max(largest, to);
    while (largest > 0 && !bySize[largest]?.size) largest -= 1;
  };
  const firstIn = (group: string | symbol | undefined): Member | undefined => {
    const found = group === undefined ? undefined : groups.get(group);
    const [expendable] = found?.expendable ?? [];
    const [other] = found?.others ?? [];
    return expendable ?? other;
  };
  const put = (member: Member, kind: keyof Group<Member>): void => {
    const group = groups.get(groupOf.get(member) ?? '');
    if (group === undefined) return;
    group.others.delete(member);
    group.expendable.delete(member);
    group[kind].add(member);
  };

  return {
    add: (member, given) => {
      const group = given ?? Symbol();
      const members = groups.get(group) ?? { expendable: new Set(), others: new Set() };
      members.others.add(member);
      groups.set(group, members);
      groupOf.set(member, group);
      move(group, sizeOf(members) - 1, sizeOf(members));
    },
    renew: (member) => put(member, 'others'),
    expend: (member) => put(member, 'expendable'),
    remove: (member) => {
      const group = groupOf.get(member);
      const members = group === undefined ? undefined : groups.get(group);
      if (group === undefined || members === undefined) return;
      groupOf.delete(member);
      members.others.delete(member);
      members.expendable.delete(member);
      const size = sizeOf(members);
      if (size === 0) groups.delete(group);
      move(group, size + 1, size);
    },
    size: () => groupOf.size,
    first: () => {
      const [group] = bySize[largest] ?? [];
      return firstIn(group);
    },
    firstOf: firstIn,
  };
}

type Group<Member> = { readonly expendable: Set<Member>; readonly others: Set<Member> };

function sizeOf({ expendable, others }: Group<unknown>): number {
  return expendable.size + others.size;
}
