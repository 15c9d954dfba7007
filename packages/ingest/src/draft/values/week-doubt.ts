/** Other calendars have other weeks. */
export const WEEK_DOUBT =
  'The weeks are read as those of ISO 8601: they start on a Monday, and week 1 has January 4. If the file counts weeks in another way, add a column with the first day of each.';
