/**
 * Wraps consecutive blocks of code in `<code-tabs>` if nothing is between them and they are in different programming
 * languages: then they are the same in several languages. A block of data stays by itself, as does a block in a list.
 */
export function groupCode(markdown: string): string {
  const lines = markdown.split('\n');
  const written: string[] = [];
  let group: Block[] = [];
  const close = (): void => {
    const blocks = group.flatMap((block) => [...block.lines, '']);
    const labels = group.map(({ label }) => label).join('|');
    const isGroup = group.length > 1;
    written.push(
      ...(isGroup
        ? [`<code-tabs data-labels="${labels}">`, '', ...blocks, '</code-tabs>', '']
        : blocks),
    );
    group = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const [, fence, language = ''] = line.match(/^(`{3,}|~{3,})\s*(\S*)/) ?? [];
    if (fence === undefined) {
      // Blank lines may be between two blocks of a group.
      if (line.trim() === '' && group.length > 0) continue;
      close();
      written.push(line);
      continue;
    }
    const end = lines.findIndex((other, index) => index > at && other.trimEnd() === fence);
    const last = end === -1 ? lines.length - 1 : end;
    const block = lines.slice(at, last + 1);
    const label = labelOf(language, block[1] ?? '');
    if (label === undefined) {
      close();
      written.push(...block);
    } else {
      if (group.some((other) => other.label === label)) close();
      group.push({ label, lines: block });
    }
    at = last;
  }
  close();
  return written.join('\n');
}

type Block = { readonly label: string; readonly lines: readonly string[] };

/** The name of a programming language; undefined for data. A command line is named for the program that it calls. */
function labelOf(language: string, firstLine: string): string | undefined {
  if (!SHELLS.has(language)) return LABELS[language];
  const [, program] = firstLine.match(/^(curl|grpcurl)\b/) ?? [];
  return program ?? 'Shell';
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'shell', 'console']);

const LABELS: Readonly<Record<string, string>> = {
  python: 'Python',
  py: 'Python',
  ts: 'TypeScript',
  typescript: 'TypeScript',
  js: 'JavaScript',
  javascript: 'JavaScript',
  r: 'R',
  go: 'Go',
  java: 'Java',
};
