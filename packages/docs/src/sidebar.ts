import { posix } from 'node:path';
import { GROUPS, type Group } from './groups.ts';
import type { Page, Pages } from './read-pages.ts';

/** An entry of the navigation: a page, or a group of them. */
export type SidebarEntry = { slug: string; label: string } | SidebarGroup;

export type SidebarGroup = { label: string; collapsed: boolean; items: SidebarEntry[] };

/** The navigation: each page once, in the group that names it, else in that of its folder. */
export function composeSidebar({ pages }: Pages): SidebarGroup[] {
  const named = new Set(GROUPS.flatMap(({ first = [] }) => first));
  const others = [...pages.values()]
    .filter(({ file, slug }) => !named.has(file) && slug !== '')
    .sort((one, other) => one.title.localeCompare(other.title));
  const folders = GROUPS.flatMap(({ folder }) => (folder === undefined ? [] : [`${folder}/`]));
  const isOf = ({ folder, rest }: Group, { file }: Page): boolean =>
    folder === undefined
      ? rest === true && !folders.some((one) => file.startsWith(one))
      : file.startsWith(`${folder}/`);
  return GROUPS.map((group) => {
    const first = (group.first ?? []).flatMap((file) => pages.get(file) ?? []);
    const rest = others.filter((page) => isOf(group, page));
    const isInside = ({ file }: Page): boolean =>
      group.folder !== undefined && posix.dirname(file) !== group.folder;
    const inside = Map.groupBy(rest.filter(isInside), ({ file }) => posix.dirname(file));
    return {
      label: group.label,
      collapsed: group.collapsed ?? false,
      items: [
        ...[...first, ...rest.filter((page) => !isInside(page))].map(toEntry),
        ...[...inside.values()].map(toFolder),
      ],
    };
  }).filter(({ items }) => items.length > 0);
}

/** The pages of a group, and of those in it. */
export function pagesOf(entries: readonly SidebarEntry[]): readonly string[] {
  return entries.flatMap((entry) => ('slug' in entry ? [entry.slug] : pagesOf(entry.items)));
}

function toEntry({ slug, title }: Page): SidebarEntry {
  return { slug, label: title };
}

/** A folder is named for its README, and has its pages in the order in which that links to them. */
function toFolder(pages: readonly Page[]): SidebarGroup {
  const readme = pages.find(({ file }) => posix.basename(file) === 'README.md');
  const body = readme?.body ?? '';
  const placeOf = ({ file }: Page): number => {
    const place = body.search(new RegExp(`\\]\\(${RegExp.escape(posix.basename(file))}[#)]`));
    return place === -1 ? body.length : place;
  };
  const rest = pages
    .filter((page) => page !== readme)
    .sort((one, other) => placeOf(one) - placeOf(other));
  const label = readme?.title.replace(/^The (.)/, (_, letter: string) => letter.toUpperCase());
  return {
    label: label ?? posix.basename(posix.dirname(pages[0]?.file ?? '')),
    collapsed: true,
    items: [
      ...(readme === undefined ? [] : [{ slug: readme.slug, label: 'Overview' }]),
      ...rest.map(toEntry),
    ],
  };
}
