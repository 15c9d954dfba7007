import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { BASE } from './link-address.ts';

/** The scripts and styles that pages share. They are written as files once all pages are finished. */
export type SharedFiles = {
  /** Contents by path on the site: scripts that were in pages. */
  readonly scripts: Map<string, string>;
  /** Names of classes by the declarations that were in attributes. */
  readonly styles: Map<string, string>;
};

/** The path of the style sheet with the declarations that were in attributes. */
export const STYLE_FILE = 'attributes.css';

/**
 * Makes a built page work at any address, under a strict content security policy: its scripts and styles become files, so
 * that none is inline, and addresses that begin with `BASE` become relative.
 */
export function finishPage(
  html: string,
  {
    path,
    shared,
    base = relativeBase(path),
  }: {
    /** The path of the file on the site, such as `how-to/deploy/index.html`. */
    readonly path: string;
    readonly shared: SharedFiles;
    /** The replacement of `BASE`. Default: the relative path from the page to the first page. */
    readonly base?: string;
  },
): string {
  return html
    .replaceAll(/<script(?: aria-hidden="true")?>(.*?)<\/script>/gs, (_, script: string) => {
      const file = `_astro/${hashOf(script)}.js`;
      shared.scripts.set(file, script);
      return `<script src="${BASE}${file}"></script>`;
    })
    .replace('</head>', `<link rel="stylesheet" href="${BASE}${STYLE_FILE}"></head>`)
    .replaceAll(TAG_WITH_STYLE, (tag, style: string) => {
      const name = classOf(style.trim().replace(/;$/, ''), shared.styles);
      const plain = tag.replace(/\sstyle="[^"]*"/, '');
      return plain.includes(' class="')
        ? plain.replace(' class="', ` class="${name} `)
        : plain.replace(/^<[\w-]+/, `$& class="${name}"`);
    })
    .replaceAll(/<meta (?:name="generator"|property="og:|name="twitter:)[^>]*>/g, '')
    .replaceAll(/(?<=\s(?:href|src|data-pagefind)=")\/docs\/(?<rest>[^"]*)/g, (_, rest: string) => {
      return base + (rest === '' && base === '' ? './' : rest);
    });
}

/** The style sheet of the classes that replace attributes. */
export function composeStyles({ styles }: SharedFiles): string {
  return [...styles].map(([style, name]) => `.${name}{${style}}\n`).join('');
}

/** A tag with an attribute `style`. Values of attributes may contain `>`. */
const TAG_WITH_STYLE =
  /<[a-z][\w-]*(?:\s+(?!style=)[^\s=>"]+(?:="[^"]*")?)*\s+style="([^"]*)"(?:\s+[^\s=>"]+(?:="[^"]*")?)*\s*\/?>/gi;

function classOf(style: string, styles: Map<string, string>): string {
  const name = styles.get(style) ?? `y${styles.size.toString(36)}`;
  styles.set(style, name);
  return name;
}

function relativeBase(path: string): string {
  const up = posix.relative(posix.dirname(path), '.');
  return up === '' ? './' : `${up}/`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
