import type { Output } from '../cli/output.ts';
import type { Actions } from '../cli/program.ts';
import { formatTable } from '../cli/table.ts';
import { readConfig } from '../config/read-config.ts';
import { SETTING_KEYS, SETTINGS, type Setting } from '../config/settings.ts';

export function configAction(output: Output): Pick<Actions, 'printConfig'> {
  return {
    printConfig: async ({ settings, json }) => {
      const { written, file, notices } = readConfig(settings);
      for (const notice of notices) output.messages(`${notice}\n`);
      const effective = SETTING_KEYS.map((key) => {
        const setting: Setting<unknown> = SETTINGS[key];
        const { text = '', origin = 'default' } = written.get(key) ?? {};
        const isHidden = setting.isSecret === true && origin !== 'default';
        const auto = text === 'auto' ? setting.type.autoText?.() : undefined;
        return {
          name: setting.name,
          value: isHidden ? HIDDEN : text,
          ...(auto === undefined ? {} : { auto }),
          origin,
        };
      });
      if (json) {
        output.data(`${JSON.stringify({ file: file ?? null, settings: effective })}\n`);
        return;
      }
      output.data(
        formatTable(
          ['SETTING', 'VALUE', 'FROM'],
          effective.map(({ name, value, auto, origin }) => [
            name,
            auto === undefined ? value : `${value} (${auto})`,
            origin,
          ]),
        ),
      );
      output.messages(
        file === undefined
          ? 'There is no configuration file.\n'
          : `The configuration file is ${file}.\n`,
      );
    },
  };
}

const HIDDEN = '(hidden)';
