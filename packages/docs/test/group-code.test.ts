import { expect, test } from 'vitest';
import { groupCode } from '../src/group-code.ts';

test('consecutive blocks in several programming languages become tabs', () => {
  const grouped = groupCode(
    [
      'Ask:',
      '',
      '```sh',
      'curl x',
      '```',
      '```python',
      'get(x)',
      '```',
      '',
      '```ts',
      'get(x);',
      '```',
      '',
      'Then',
    ].join('\n'),
  );
  expect(grouped).toMatchInlineSnapshot(`
    "Ask:

    <code-tabs data-labels="curl|Python|TypeScript">

    \`\`\`sh
    curl x
    \`\`\`

    \`\`\`python
    get(x)
    \`\`\`

    \`\`\`ts
    get(x);
    \`\`\`

    </code-tabs>

    Then"
  `);
});

test('a block of data, and a block after text, stay by themselves', () => {
  for (const page of [
    '```sh\ncurl x\n```\n\n```json\n{}\n```\n',
    '```sh\ncurl x\n```\n\nOr:\n\n```python\nget(x)\n```\n',
    '```sh\ncurl x\n```\n\n```sh\ncurl y\n```\n',
    '- In a list:\n\n  ```sh\n  curl x\n  ```\n\n  ```python\n  get(x)\n  ```\n',
  ]) {
    expect(groupCode(page)).not.toContain('<code-tabs');
  }
});

test('two command lines are named for their programs', () => {
  expect(groupCode('```sh\ncurl x\n```\n\n```sh\ngrpcurl x\n```\n')).toContain(
    '<code-tabs data-labels="curl|grpcurl">',
  );
});

test('a fence inside a longer one is text', () => {
  const page = '````md\n```sh\ncurl x\n```\n```python\nget(x)\n```\n````\n';
  expect(groupCode(page)).toBe(page);
});
