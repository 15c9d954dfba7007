import { ServiceError } from '../errors/service-error.ts';

/** Whether a text can be stored. Engines differ on U+0000 and lone surrogates, so neither is stored. */
export function isStoredText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Refuses a filter text that cannot equal or be part of any stored text. */
export function checkStoredText(text: string, pointer: string): void {
  if (isStoredText(text)) return;
  throw ServiceError.atPointer(
    'INVALID_FILTER_VALUE',
    pointer,
    'The text contains U+0000 or a lone surrogate, which no stored text contains.',
    'Send well-formed Unicode text.',
  );
}
