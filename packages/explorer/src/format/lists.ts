/** Texts with commas between them; in quotation marks if one has a comma itself. */
export function listTexts(texts: readonly string[]): string {
  return clearTexts(texts).join(', ');
}

/** Texts that stay distinguishable in a list with commas. */
export function clearTexts(texts: readonly string[]): readonly string[] {
  return texts.some((text) => text.includes(',')) ? texts.map((text) => `“${text}”`) : texts;
}
