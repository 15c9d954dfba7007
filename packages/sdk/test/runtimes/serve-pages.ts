import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { serveLocally } from '../../../locmetrics/test/support/listen-locally.ts';

export type Pages = {
  readonly origin: string;
  /** The paths of the scripts that were loaded. */
  readonly loaded: ReadonlySet<string>;
  readonly close: () => Promise<void>;
};

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };

/** Serves the pages and scripts of a folder at an origin of their own. */
export async function servePages(folder: string): Promise<Pages> {
  const loaded = new Set<string>();
  const { url, close } = await serveLocally((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const type = TYPES[extname(pathname)];
    try {
      const file = readFileSync(join(folder, pathname));
      if (type === 'text/javascript') loaded.add(pathname);
      response.writeHead(200, { 'content-type': type ?? 'application/octet-stream' }).end(file);
    } catch {
      response.writeHead(404).end();
    }
  });
  return { origin: url, loaded, close };
}
