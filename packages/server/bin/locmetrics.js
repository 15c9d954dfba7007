#!/usr/bin/env node
// Plain JavaScript that any Node reads, so that an old one is told what to do instead of failing on
// syntax it does not know.
const nodeMajor = Number(process.versions.node.split('.')[0]);
if (nodeMajor < 24) {
  process.stderr.write(
    `locmetrics needs Node 24 or later; this is Node ${process.versions.node}.\n` +
      'In a clone of the repository, run it through npm, which brings the right one:\n' +
      '  npm start\n' +
      '  npx locmetrics --help\n' +
      'If npm was told to ignore install scripts, run `npm rebuild node` first.\n',
  );
  process.exitCode = 1;
} else {
  const { main } = await import('../src/main.ts');
  await main(process.argv.slice(2));
}
