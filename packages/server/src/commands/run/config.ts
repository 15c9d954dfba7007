import type { Run } from '../../cli/define-command.ts';
import { formatTable, jsonLine } from '../../cli/output.ts';
import { findServingProblems, servingRefusal } from '../../compose/check-serving.ts';
import { effectiveSettings } from '../../config/effective-settings.ts';
import { readConfig } from '../../config/read-config.ts';

export const printConfigAction: Run = async (output, { settings, json }) => {
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
      file === undefined ? 'There is no configuration file.' : `The configuration file is ${file}.`;
    output.messages(`${source}\n`);
  }
  for (const notice of notices) output.messages(`${notice}\n`);
  if (problems.length > 0) throw servingRefusal(problems, INTRODUCTION);
};

const INTRODUCTION = '"locmetrics serve" cannot start with these settings:\n';
