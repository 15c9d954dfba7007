/**
 * Opens a manifest in the language server that editors use for YAML: `npm run test:editor`. The manifest is made by
 * `locmetrics init`, so this also tests the path of the schema in its first line. It needs the npm registry; without
 * it, it says so and tests nothing. The last line of the output is `N passed, N failed`.
 */

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { prepareRun } from '../support/prepare-run.ts';
import { until } from '../support/until.ts';
import { keepLanguageServer } from '../tools/tools.ts';

const COMMAND = fileURLToPath(new URL('../../bin/locmetrics.js', import.meta.url));
const { workspace, say, report, end } = prepareRun();

const tool = keepLanguageServer(say);
if (tool !== undefined) {
  const results = await testEditor(tool);
  for (const { what, found, isGood } of results) {
    report(what, isGood, JSON.stringify(found));
  }
}
end();

type Result = { readonly what: string; readonly found: unknown; readonly isGood: boolean };

async function testEditor(tool: string): Promise<readonly Result[]> {
  const manifest = join(workspace, 'locmetrics.yaml');
  writeFileSync(join(workspace, 'cafes.csv'), 'id,name\nA,Alpha\nB,Beta\n');
  spawnSync(process.execPath, [COMMAND, 'init', 'cafes.csv'], { cwd: workspace });
  const text = readFileSync(manifest, 'utf8');
  const uri = pathToFileURL(manifest).href;
  const editor = startEditor(tool);
  try {
    await editor.ask('initialize', { processId: process.pid, rootUri: null, capabilities: {} });
    editor.tell('initialized', {});
    const document = { uri, languageId: 'yaml', version: 1, text };
    editor.tell('textDocument/didOpen', { textDocument: document });
    const clean = await editor.problems(() => true);
    const change = (version: number, changed: string): void => {
      const contentChanges = [{ text: changed }];
      editor.tell('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    };
    change(2, text.replace('files:', 'fils:'));
    const isUnknownKey = (message: string): boolean => message.includes('fils');
    // A report on the text before the change may still arrive.
    const wrong = await editor.problems((problems) => problems.some(isUnknownKey));
    const lines = text.split('\n');
    const line = lines.findIndex((one) => one.startsWith('    key:'));
    change(3, lines.toSpliced(line, 0, '    ').join('\n'));
    const position = { line, character: 4 };
    const answer = await editor.ask('textDocument/completion', { textDocument: { uri }, position });
    const offered = labelsOf(answer);
    return [
      { what: 'a drafted manifest has no problems', found: clean, isGood: clean.length === 0 },
      {
        what: 'an unknown key is a problem',
        found: wrong,
        isGood: wrong.some(isUnknownKey),
      },
      {
        what: 'the keys of a dataset are offered',
        found: offered,
        isGood: ['read', 'rows', 'point', 'period'].every((key) => offered.includes(key)),
      },
    ];
  } finally {
    editor.end();
  }
}

/** The language server, with what an editor does: it asks, tells, and waits for the problems of a document. */
function startEditor(tool: string) {
  const path = join(tool, 'node_modules/yaml-language-server/bin/yaml-language-server');
  const server: ChildProcessWithoutNullStreams = spawn(process.execPath, [path, '--stdio']);
  const answers = new Map<number, (result: unknown) => void>();
  const reported: (readonly string[])[] = [];
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let received = Buffer.alloc(0);
  server.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(received.toString('utf8', 0, end))?.[1]);
      if (received.length < end + 4 + length) return;
      const message: Message = JSON.parse(received.toString('utf8', end + 4, end + 4 + length));
      received = received.subarray(end + 4 + length);
      if (message.method === 'textDocument/publishDiagnostics') {
        reported.push((message.params?.diagnostics ?? []).map((one) => one.message));
      } else if (message.method !== undefined && message.id !== undefined) {
        // The server asks for settings and registers what it can do.
        send({ id: message.id, result: message.method === 'workspace/configuration' ? [] : null });
      } else if (message.id !== undefined) answers.get(message.id)?.(message.result);
    }
  });
  let asked = 0;
  return {
    ask: (method: string, params: object): Promise<unknown> => {
      asked += 1;
      const id = asked;
      return new Promise((resolve) => {
        answers.set(id, resolve);
        send({ id, method, params });
      });
    },
    tell: (method: string, params: object): void => send({ method, params }),
    /** The problems of the first report of this kind, or of the last one if there is none for a minute. */
    problems: async (
      isWanted: (problems: readonly string[]) => boolean,
    ): Promise<readonly string[]> => {
      await until(() => reported.some(isWanted), { maxMs: 60_000 }).catch(() => {});
      return reported.find(isWanted) ?? reported.at(-1) ?? ['There was no report.'];
    },
    end: () => server.kill(),
  };
}

type Message = {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly params?: { readonly diagnostics?: readonly { readonly message: string }[] };
};

function labelsOf(answer: unknown): readonly string[] {
  const items: unknown =
    typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : answer;
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) =>
    typeof item === 'object' && item !== null && 'label' in item ? String(item.label) : [],
  );
}
