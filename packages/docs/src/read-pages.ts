import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A page of the site: a Markdown file of the repository. */
export type Page = {
  /** Its path in the repository, such as `docs/how-to/deploy.md`. */
  readonly file: string;
  /** Its path on the site, such as `how-to/deploy`; empty for the first page. */
  readonly slug: string;
  readonly title: string;
  /** The first paragraph, as plain text. */
  readonly description: string;
  /** The text below the title. */
  readonly body: string;
};

export type Pages = {
  readonly pages: ReadonlyMap<string, Page>;
  /** Text files that pages link to, by their paths in the repository: the site has a copy of each. */
  readonly copies: ReadonlySet<string>;
};

/**
 * Reads all pages of `docs`, and those elsewhere in the repository that they link to, directly or not. The paths on the
 * site are those in the repository, without `docs/` and `README`.
 */
export function readPages(root: string): Pages {
  const pages = new Map<string, Page>();
  const copies = new Set<string>();
  const waiting = markdownBelow(root, 'docs');
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (pages.has(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    pages.set(file, toPage(file, text));
    for (const link of linksOf(text)) {
      const target = resolveTarget(root, file, link);
      if (target?.endsWith('.md')) waiting.push(target);
      else if (target !== undefined && isCopied(root, target)) copies.add(target);
    }
  }
  return { pages, copies };
}

/** The file of the repository that a link of a page leads to, for a folder its README. Undefined: it leads elsewhere. */
export function resolveTarget(root: string, file: string, link: string): string | undefined {
  const [path = ''] = link.split('#');
  if (path === '' || /^[a-z][a-z0-9+.-]*:|^\//i.test(path)) return undefined;
  const target = posix
    .normalize(posix.join(posix.dirname(file), decodeURI(path)))
    .replace(/\/$/, '');
  const full = join(root, target);
  if (target.startsWith('..') || !existsSync(full)) return undefined;
  if (!statSync(full).isDirectory()) return target;
  const readme = posix.join(target, 'README.md');
  return existsSync(join(root, readme)) ? readme : undefined;
}

function markdownBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}

const COPY_MAX_BYTES = 128 * 1024;
const COPIED =
  /(?:\.(?:ya?ml|json|txt|sh|py|ts|js|mjs|conf|service|csv|sql|toml|proto|rules)|LICENSE|Dockerfile)$/;

function isCopied(root: string, file: string): boolean {
  return COPIED.test(file) && statSync(join(root, file)).size <= COPY_MAX_BYTES;
}

function toPage(file: string, text: string): Page {
  const [, title = file] = text.match(/^# (.+)$/m) ?? [];
  const body = text.replace(/^---\n.*?\n---\n/s, '').replace(/^# .+\n+/m, '');
  return {
    file,
    slug: toSlug(file),
    title: toPlainText(title),
    description: toDescription(body),
    body,
  };
}

/** Files of the repository that have a place of their own on the site. */
const PLACES: Readonly<Record<string, string>> = {
  'README.md': 'project/overview',
  'ARCHITECTURE.md': 'project/architecture',
  'CHANGELOG.md': 'project/changelog',
  'CONTRIBUTING.md': 'project/contributing',
  'SECURITY.md': 'project/security',
  'packages/docs/README.md': 'project/documentation',
  'packages/locmetrics/test/support/README.md': 'project/test-support',
  'packages/locmetrics/sample/ATTRIBUTION.md': 'project/sample-data',
  'bench/README.md': 'project/benchmark',
  'packages/sdk/README.md': 'reference/typescript-client',
};

function toSlug(file: string): string {
  const place = PLACES[file];
  if (place !== undefined) return place;
  return file
    .replace(/^docs\//, '')
    .replace(/(?:^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase();
}

function toDescription(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((block) => /^[\p{L}`*[]/u.test(block)) ?? '';
  const text = toPlainText(paragraph);
  if (text.length <= DESCRIPTION_MAX) return text;
  return `${text.slice(0, DESCRIPTION_MAX).replace(/\s+\S*$/, '')} …`;
}

const DESCRIPTION_MAX = 200;

function toPlainText(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The links of a page outside blocks of code. */
function linksOf(text: string): readonly string[] {
  return [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    ([, link = '']) => link,
  );
}
