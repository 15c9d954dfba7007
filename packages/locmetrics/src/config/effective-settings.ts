import type { Origin, ReadConfig } from './read-config.ts';
import { SETTING_KEYS, SETTINGS, type Setting } from './settings.ts';

/** A setting in effect, with secrets hidden. */
export type EffectiveSetting = {
  readonly name: string;
  readonly value: string;
  /** The value of `auto` on this machine. */
  readonly auto?: string | undefined;
  readonly origin: Origin;
};

/** All settings in the order of their schema. */
export function effectiveSettings({ written }: ReadConfig): readonly EffectiveSetting[] {
  return SETTING_KEYS.map((key) => {
    const setting: Setting<unknown> = SETTINGS[key];
    const { text = '', origin = 'default' } = written.get(key) ?? {};
    const isHidden = setting.isSecret === true && origin !== 'default';
    return {
      name: setting.name,
      value: isHidden ? HIDDEN : (setting.type.hidePassword?.(text) ?? text),
      auto: text === 'auto' ? setting.type.autoText?.() : undefined,
      origin,
    };
  });
}

const HIDDEN = '(hidden)';
