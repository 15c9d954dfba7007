import { type Pages, resolveTarget } from './read-pages.ts';

/** The path that the generator believes the site is at. The built files have relative addresses in its place. */
export const BASE = '/docs/';

/** The folder of the site with copies of files that are not pages. */
export const COPIES = 'files/';

/**
 * The address on the site for a link of a page. Undefined: the file is not on the site, and `source`, the address of the
 * repository on the web, is not known.
 */
export function linkAddress(
  link: string,
  {
    root,
    file,
    pages: { pages, copies },
    source,
  }: {
    readonly root: string;
    /** The page with the link, by its path in the repository. */
    readonly file: string;
    readonly pages: Pages;
    readonly source?: string | undefined;
  },
): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(link)) return link;
  const target = resolveTarget(root, file, link);
  if (target === undefined) return undefined;
  const anchor = link.includes('#') ? link.slice(link.indexOf('#')) : '';
  const page = pages.get(target);
  if (page !== undefined) return `${BASE}${page.slug === '' ? '' : `${page.slug}/`}${anchor}`;
  if (copies.has(target)) return `${BASE}${COPIES}${target}.txt`;
  return source === undefined ? undefined : `${source}/${target}${anchor}`;
}
