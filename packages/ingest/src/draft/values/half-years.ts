/** The ways to write a half of a year, with SQL of its year and its number. */
export const HALF_YEARS = [
  {
    pattern: /^(19|20)\d\d[-_/ ]?(S|H|HY|B)[12]$/i,
    year: (text: string) => `left(${text}, 4)`,
    half: (text: string) => `right(${text}, 1)`,
  },
  {
    pattern: /^((S|H|HY|B)[12]|[12](S|H))[-_/ ]?(19|20)\d\d$/i,
    year: (text: string) => `right(${text}, 4)`,
    half: (text: string) => `regexp_extract(${text}, '[12]')`,
  },
];

/** Whether a text is a half of a year: 2023-S1. */
export function isHalfYear(text: string): boolean {
  return HALF_YEARS.some(({ pattern }) => pattern.test(text.trim()));
}
