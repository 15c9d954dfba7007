import type { Page, Pages } from './read-pages.ts';
import { composeSidebar, pagesOf } from './sidebar.ts';

/** The list of pages for language models: https://llmstxt.org. */
export function composeLlms(site: Pages): string {
  const bySlug = new Map([...site.pages.values()].map((page) => [page.slug, page]));
  const groups = composeSidebar(site).map(({ label, items }) => {
    const links = pagesOf(items).map((slug) => {
      const { title, description } = pageAt(bySlug, slug);
      return `- [${title}](./${slug}/): ${description}\n`;
    });
    return `\n## ${label}\n\n${links.join('')}`;
  });
  return `# Locmetrics\n\n> ${SUMMARY}\n\nAll pages in one file: [llms-full.txt](./llms-full.txt)\n${groups.join('')}`;
}

/** The text of all pages that are for users. */
export function composeLlmsFull(site: Pages): string {
  const bySlug = new Map([...site.pages.values()].map((page) => [page.slug, page]));
  const pages = composeSidebar(site)
    .filter(({ label }) => label !== 'Project')
    .flatMap(({ items }) => pagesOf(items).map((slug) => pageAt(bySlug, slug)));
  return pages
    .map(({ title, file, body }) => `# ${title}\n\nFile: ${file}\n\n${body.trim()}\n`)
    .join('\n');
}

function pageAt(pages: ReadonlyMap<string, Page>, slug: string): Page {
  const page = pages.get(slug);
  if (page === undefined) throw new Error(`The navigation has ${slug}, which is not a page.`);
  return page;
}

const SUMMARY =
  'Location metrics data service: a data owner publishes files of places, areas and measures; authorised callers query records and metric values over HTTP and gRPC.';
