import { satteri } from '@astrojs/markdown-satteri';
import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { BASE } from './src/link-address.ts';
import { readPages } from './src/read-pages.ts';
import { rewriteLinks } from './src/rewrite-links.ts';
import { ROOT } from './src/root.ts';
import { composeSidebar } from './src/sidebar.ts';

const pages = readPages(ROOT);

/** Build with `scripts/build.ts`, which finishes what this writes. */
export default defineConfig({
  base: BASE,
  trailingSlash: 'always',
  // Nothing is resized, so that `sharp` is not needed.
  image: { service: passthroughImageService() },
  prefetch: false,
  build: { inlineStylesheets: 'never' },
  vite: { build: { assetsInlineLimit: 0 } },
  markdown: {
    processor: satteri({
      features: { smartPunctuation: false },
      mdastPlugins: [rewriteLinks({ root: ROOT, pages, source: process.env['DOCS_SOURCE'] })],
    }),
    shikiConfig: {
      themes: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      defaultColor: false,
    },
  },
  integrations: [
    starlight({
      title: 'Locmetrics',
      favicon: '/icon.svg',
      customCss: ['./src/styles/site.css'],
      expressiveCode: false,
      sidebar: composeSidebar(pages),
      markdown: { processedDirs: [ROOT] },
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      components: {
        Head: './src/components/Head.astro',
        Header: './src/components/Header.astro',
        MarkdownContent: './src/components/MarkdownContent.astro',
        MobileMenuFooter: './src/components/MobileMenuFooter.astro',
        Search: './src/components/Search.astro',
        Sidebar: './src/components/Sidebar.astro',
        ThemeProvider: './src/components/ThemeProvider.astro',
        ThemeSelect: './src/components/ThemeSelect.astro',
      },
    }),
  ],
});
