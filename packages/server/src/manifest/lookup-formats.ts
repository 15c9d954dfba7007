/** The formats of files that steps name beside those of the dataset. */
export const LOOKUP_FORMATS = ['csv', 'tsv', 'xlsx'] as const;
