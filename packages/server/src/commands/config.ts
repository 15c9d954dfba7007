import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';
import { formatTable } from '../cli/table.ts';
import { checkServeConfig } from '../config/check-config.ts';
import { ConfigError } from '../config/config-error.ts';
import { effectiveSettings } from '../config/effective-settings.ts';
import { readConfig } from '../config/read-config.ts';
import type { Config } from '../config/settings.ts';

export function configAction(output: Output): Pick<Actions, 'printConfig'> {
  return {
    printConfig: async ({ settings, json }) => {
      const read = readConfig(settings);
      const { config, file, notices } = read;
      const effective = effectiveSettings(read);
      if (json) {
        output.data(`${JSON.stringify({ file: file ?? null, settings: effective })}\n`);
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
      for (const notice of [...notices, ...findRefusal(config)]) output.messages(`${notice}\n`);
    },
  };
}

/** Why `locmetrics serve` would not start with these settings. */
function findRefusal(config: Config): readonly string[] {
  try {
    checkServeConfig(config);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [
      `With these settings "locmetrics serve" does not start:\n${error.message}\n${error.hint}`,
    ];
  }
}
