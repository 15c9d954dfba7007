import { defineCommand } from '../cli/define-command.ts';
import { SHELLS } from '../cli/shells.ts';

export const command = defineCommand({
  summary: 'print a script that completes commands in a shell',
  description:
    'Prints a script for bash, zsh or fish that completes commands, flags and file names with the Tab key.',
  examples: {
    'bash, for all sessions':
      'completion bash > ~/.local/share/bash-completion/completions/locmetrics',
    'zsh, in a folder of $fpath': 'completion zsh > ~/.zfunc/_locmetrics',
    fish: 'completion fish > ~/.config/fish/completions/locmetrics.fish',
  },
  settings: 'none',
  arguments: { '<shell>': { description: 'the shell', choices: SHELLS } },
  flags: {},
  run: async (output, { shell }, commandLine) => {
    const { completionScript } = await import('../cli/completion/completion-script.ts');
    output.data(completionScript(await commandLine.program(), shell));
  },
});
