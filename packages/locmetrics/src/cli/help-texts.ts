import { bold } from './colours.ts';
import type { CommandTexts } from './define-command.ts';
import { EXIT_CODE_TABLE } from './exit-codes.ts';

/** The examples below the help of a command: the purpose, then the command line. */
export function examplesText(examples: CommandTexts['examples']): string {
  const lines = Object.entries(examples).flatMap(([does, command]) => [
    `  # ${does}`,
    ...command.split('\n').map((line) => `  locmetrics ${line}`),
  ]);
  return ['', bold('Examples:'), ...lines].join('\n');
}

export const PROGRAM_DESCRIPTION =
  'Location metrics data service: publish files, and serve records to the callers you allow.';

const PROGRAM_EXAMPLES = {
  'Try it with the built-in sample': 'demo',
  'Describe and publish your files, give a customer access, and serve':
    'init cafes/*.csv\npublish locmetrics.yaml\norg create "City of Portland" --id portland\ngrant add portland "cafes.*"\ntoken create --org portland --name reports\nserve',
};

/** The text below the help of the program. */
export const PROGRAM_NOTES = `${examplesText(PROGRAM_EXAMPLES)}

${bold('Exit codes:')}
${Object.values(EXIT_CODE_TABLE)
  .map(({ code, meaning }) => `  ${String(code).padEnd(3)}  ${meaning}`)
  .join('\n')}

${bold('Documentation:')}
  "locmetrics help COMMAND" for one command; /docs of a running service,
  or docs/ in the repository, for everything`;
