import { defineCollection } from 'astro:content';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { docsSchema } from '@astrojs/starlight/schema';
import { groupCode } from './group-code.ts';
import { type Page, readPages } from './read-pages.ts';
import { ROOT } from './root.ts';

/** The pages are Markdown files of the repository, which need no front matter. */
export const collections = {
  docs: defineCollection({
    schema: docsSchema(),
    loader: {
      name: 'repository-pages',
      load: async ({ store, parseData, renderMarkdown }) => {
        store.clear();
        for (const { slug, file, title, description, body } of pagesAndNotFound()) {
          const isFirst = slug === '';
          const id = isFirst ? 'index' : slug;
          const filePath = join(ROOT, file);
          const given = { title, description, ...(isFirst ? { tableOfContents: false } : {}) };
          const data = await parseData({ id, data: given, filePath });
          const text = isFirst ? wrapSections(body) : groupCode(body);
          const rendered = await renderMarkdown(text, { fileURL: pathToFileURL(filePath) });
          store.set({
            id,
            data,
            body: text,
            filePath: relative(process.cwd(), filePath),
            rendered,
          });
        }
      },
    },
  }),
};

function pagesAndNotFound(): readonly Page[] {
  return [...readPages(ROOT).pages.values(), NOT_FOUND];
}

const NOT_FOUND: Page = {
  file: 'docs/404.md',
  slug: '404',
  title: 'Page not found',
  description: 'The page may have moved.',
  body: 'The page may have moved. Search for it, or start with [the documentation](README.md).\n',
};

/** The sections of the first page stand beside each other. */
function wrapSections(markdown: string): string {
  const [lead = '', ...sections] = markdown.split(/^(?=## )/m);
  const wrapped = sections.map((section) => `<section>\n\n${section}\n</section>\n\n`);
  return `${lead}\n<div class="ways">\n\n${wrapped.join('')}</div>\n`;
}
