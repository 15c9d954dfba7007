#!/usr/bin/env node
// Plain JavaScript that any Node reads, so that an old one is told what to do instead of failing on
// syntax it does not know.
const nodeMajor = Number(process.versions.node.split('.')[0]);
if (nodeMajor < 24) {
  process.stderr.write(
    `locmetrics needs Node 24 or later; this is Node ${process.versions.node}.\n` +
      'Install Node 24 or later. In a clone of the repository, run it through npm, which brings the right one:\n' +
      '  npm start\n' +
      '  npx locmetrics --help\n' +
      'If npm was told to ignore install scripts, run `npm rebuild node` first.\n',
  );
  process.exitCode = 1;
} else {
  // Compiled code is kept beside the code itself, where only those can write who can change that too; a
  // directory for all, such as /tmp, would let others run code. What cannot be written is compiled again.
  const { enableCompileCache } = await import('node:module');
  const { fileURLToPath } = await import('node:url');
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
  // Commands that read or write whole versions leave the processor to a service on the same machine.
  if (['publish', 'verify', 'backup'].includes(process.argv[2] ?? '')) {
    const { setPriority } = await import('node:os');
    try {
      setPriority(5);
    } catch {
      // A system that forbids it lets the command run as it is.
    }
  }
  const { main } = await import('../src/main.ts');
  const code = await main(process.argv.slice(2));
  // A service that was started may have ended meanwhile, with a code of its own.
  if (code !== 0) process.exitCode = code;
}
