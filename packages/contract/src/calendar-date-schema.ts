import { Type } from 'typebox';
import { closed } from './schema-parts.ts';

/** unacast.unatype.Date */
export const CalendarDateSchema = closed(
  {
    year: Type.Integer({ examples: [2023] }),
    month: Type.Integer({ examples: [1] }),
    day: Type.Integer({ examples: [31] }),
  },
  { title: 'CalendarDate' },
);
