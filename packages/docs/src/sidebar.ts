import { posix } from 'node:path';
import { GROUPS, type Group, UNLISTED } from './groups.ts';
import type { Page, Pages } from './read-pages.ts';

/** An entry of the navigation: a page, or a group of them. */
export type SidebarEntry = { slug: string; label: string } | SidebarGroup;

export type SidebarGroup = { label: string; collapsed: boolean; items: SidebarEntry[] };

/** The navigation, in which each page is once. */
export function composeSidebar({ pages }: Pages): SidebarGroup[] {
  const rest = new Map(
    [...pages].filter(([file, { slug }]) => slug !== '' && !UNLISTED.test(file)),
  );
  const take = (files: readonly string[]): readonly Page[] =>
    files.flatMap((file) => {
      const page = rest.get(file);
      rest.delete(file);
      return page ?? [];
    });
  const takeFirst = new Map(GROUPS.map((group) => [group, take(group.first ?? [])]));
  const groups = GROUPS.flatMap((group) => {
    const first = takeFirst.get(group) ?? [];
    if (group.isForOthers === true) return { group, first, pages: [] };
    return splitFolder(group, pages).map(({ label, files }) => ({
      group: { ...group, label },
      first,
      pages: take(files),
    }));
  });
  return groups
    .map(({ group: { label, folder, isForOthers }, first, pages: found }) => ({
      label,
      collapsed: true,
      items: relabel(labelsOf(pages), [
        ...(isForOthers ? [...first, ...byTitle(rest.values())].map(toEntry) : []),
        ...toEntries(folder ?? '', found),
        ...(isForOthers ? [] : first.map(toEntry)),
      ]),
    }))
    .filter(({ items }) => items.length > 0);
}

/** The pages of a group, and of those in it. */
export function pagesOf(entries: readonly SidebarEntry[]): readonly string[] {
  return entries.flatMap((entry) => ('slug' in entry ? [entry.slug] : pagesOf(entry.items)));
}

type Part = { readonly label: string; readonly files: readonly string[] };

/** The files of a folder as groups: one, or one for each heading of its README. The last one has those not linked. */
function splitFolder(
  { label, folder = '', isSplit }: Group,
  pages: Pages['pages'],
): readonly Part[] {
  const readme = pages.get(posix.join(folder, 'README.md'));
  const inside = byTitle([...pages.values()].filter(({ file }) => file.startsWith(`${folder}/`)));
  const all = inside.map(({ file }) => file);
  if (readme === undefined) return [{ label, files: all }];
  const [, ...sections] = `\n${readme.body}`.split(/\n## /);
  if (isSplit !== true) return [{ label, files: [readme.file, ...linkedFiles(readme), ...all] }];
  const parts = sections.map((section) => ({
    label: section.slice(0, section.indexOf('\n')),
    files: linkedFiles({ ...readme, body: section }),
  }));
  const last = parts.pop();
  return last === undefined
    ? [{ label, files: all }]
    : [...parts, { ...last, files: [...last.files, ...all] }];
}

function linkedFiles({ file, body }: Page): readonly string[] {
  return [...body.matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)].map(([, link = '']) =>
    posix.join(posix.dirname(file), link),
  );
}

/** Pages in their order; those of a folder inside are a group, where its README is or the first of them. */
function toEntries(folder: string, pages: readonly Page[]): SidebarEntry[] {
  const isInside = ({ file }: Page): boolean =>
    file.startsWith(`${folder}/`) && posix.dirname(file) !== folder;
  const inside = Map.groupBy(pages.filter(isInside), ({ file }) => posix.dirname(file));
  const entries = pages.map((page) => {
    if (!isInside(page)) return [toEntry(page)];
    const group = inside.get(posix.dirname(page.file)) ?? [];
    return group[0] === page ? [toFolder(group)] : [];
  });
  return entries.flat();
}

function toEntry({ slug, title }: Page): SidebarEntry {
  return { slug, label: title };
}

function toFolder(pages: readonly Page[]): SidebarGroup {
  const readme = pages.find(({ file }) => posix.basename(file) === 'README.md');
  const linked = readme === undefined ? [] : linkedFiles(readme);
  const placeOf = ({ file }: Page): number => {
    const place = linked.indexOf(file);
    return file === readme?.file ? -1 : place === -1 ? linked.length : place;
  };
  const label = readme?.title.replace(/^The (.)/, (_, letter: string) => letter.toUpperCase());
  return {
    label: label ?? posix.basename(posix.dirname(pages[0]?.file ?? '')),
    collapsed: true,
    items: [...pages]
      .sort((one, other) => placeOf(one) - placeOf(other))
      .map((page) => (page === readme ? { slug: page.slug, label: 'Overview' } : toEntry(page))),
  };
}

function byTitle(pages: Iterable<Page>): readonly Page[] {
  return [...pages].sort((one, other) => one.title.localeCompare(other.title));
}

/** How the lists of folders name pages, by slug: the link that an item begins with. */
function labelsOf(pages: Pages['pages']): ReadonlyMap<string, string> {
  const lists = GROUPS.flatMap(({ folder }) => pages.get(`${folder}/README.md`) ?? []);
  const items = lists.flatMap(({ file, body }) =>
    [...body.matchAll(/^- \[([^\]]+)\]\(([^)#\s]+\.md)\)/gm)].map(
      ([, label = '', link = '']) =>
        [pages.get(posix.join(posix.dirname(file), link)), label] as const,
    ),
  );
  return new Map(
    items.flatMap(([page, label]) => (page === undefined ? [] : [[page.slug, label]])),
  );
}

function relabel(labels: ReadonlyMap<string, string>, entries: SidebarEntry[]): SidebarEntry[] {
  return entries.map((entry) =>
    'slug' in entry
      ? {
          ...entry,
          label: entry.label === 'Overview' ? entry.label : (labels.get(entry.slug) ?? entry.label),
        }
      : { ...entry, items: relabel(labels, entry.items) },
  );
}
