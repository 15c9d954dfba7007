import { defineCollection } from 'astro:content';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { docsSchema } from '@astrojs/starlight/schema';
import { groupCode } from './group-code.ts';
import { readPages } from './read-pages.ts';
import { ROOT } from './root.ts';

/** The pages are Markdown files of the repository, which need no front matter. */
export const collections = {
  docs: defineCollection({
    schema: docsSchema(),
    loader: {
      name: 'repository-pages',
      load: async ({ store, parseData, renderMarkdown }) => {
        store.clear();
        for (const page of readPages(ROOT).pages.values()) {
          const id = page.slug === '' ? 'index' : page.slug;
          const filePath = join(ROOT, page.file);
          const data = await parseData({
            id,
            data: { title: page.title, description: page.description },
            filePath,
          });
          const body = groupCode(page.body);
          const rendered = await renderMarkdown(body, { fileURL: pathToFileURL(filePath) });
          store.set({ id, data, body, filePath: `../../${page.file}`, rendered });
        }
      },
    },
  }),
};
