import { defineCommand } from '../../cli/define-command.ts';
import { formatTable, jsonLine } from '../../cli/output.ts';

export const command = defineCommand({
  summary: 'print the settings in effect',
  description:
    'Prints the settings in effect and where each comes from, without secrets. If the service cannot start with them, the command says why and exits with code 2. It takes the same flags as serve.',
  examples: {
    'Print the settings as a table': 'config print',
    'Check a file before you use it': 'config print --config new.yaml',
  },
  settings: 'all',
  arguments: {},
  flags: {
    '--json': 'print them as JSON',
  },
  run: async (output, { settings, json }) => {
    const { findServingProblems, servingRefusal } = await import('../../compose/check-serving.ts');
    const { effectiveSettings } = await import('../../config/effective-settings.ts');
    const { readConfig } = await import('../../config/read-config.ts');
    const read = readConfig(settings);
    const { config, file, notices } = read;
    const effective = effectiveSettings(read);
    const problems = findServingProblems(config);
    if (json) {
      output.data(jsonLine({ file: file ?? null, settings: effective, problems }));
    } else {
      const rows = effective.map(({ name, value, auto, origin }) => [
        name,
        auto === undefined ? value : `${value} (${auto})`,
        origin,
      ]);
      output.data(formatTable(['SETTING', 'VALUE', 'FROM'], rows));
      const source =
        file === undefined
          ? 'There is no configuration file.'
          : `The configuration file is ${file}.`;
      output.messages(`${source}\n`);
    }
    for (const notice of notices) output.messages(`${notice}\n`);
    if (problems.length > 0) {
      throw servingRefusal(problems, '"locmetrics serve" cannot start with these settings:\n');
    }
  },
});
