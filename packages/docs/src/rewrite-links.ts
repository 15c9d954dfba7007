import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SatteriProcessorOptions } from '@astrojs/markdown-satteri';
import { BASE, linkAddress } from './link-address.ts';
import { type Pages, resolveTarget } from './read-pages.ts';

/** Links between files of the repository become links between pages of the site; one that leads nowhere becomes text. */
export function rewriteLinks(options: {
  readonly root: string;
  readonly pages: Pages;
  readonly source?: string | undefined;
}): MdastPlugin {
  return ({ fileURL }) => {
    if (fileURL === undefined) return undefined;
    const file = relative(options.root, fileURLToPath(fileURL));
    return {
      name: 'rewrite-links',
      link(node, context) {
        const address = linkAddress(node.url, { ...options, file });
        if (address === undefined) context.replaceNode(node, [...node.children]);
        else context.setProperty(node, 'url', address);
      },
      image(node, context) {
        const target = resolveTarget(options.root, file, node.url);
        if (target !== undefined) context.setProperty(node, 'url', `${BASE}${imagePath(target)}`);
      },
    };
  };
}

type MdastPlugin = NonNullable<SatteriProcessorOptions['mdastPlugins']>[number];

/** The URL on the site of an image in the repository. */
function imagePath(file: string): string {
  return file.replace(/^docs\//, '');
}
