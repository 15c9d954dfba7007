import { ConfigError } from '../../src/config/config-error.ts';

/** The message and hint of the refusal of the settings. */
export function refused(read: () => unknown): { readonly message: string; readonly hint: string } {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { message: error.message, hint: error.hint };
  }
  throw new Error('The settings were not refused.');
}
