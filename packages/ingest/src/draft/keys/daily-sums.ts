import type { HourChoice } from './find-hours.ts';

/** The step that adds up the hours of each day, and why it is there or is a comment. */
export type DailySums = {
  readonly choice: HourChoice;
  /** Whether the owner has to look at the choice. */
  readonly isDoubt: boolean;
  readonly text: string;
  readonly steps: readonly DailyStep[];
};

export type DailyStep =
  | { readonly sql: string }
  | {
      readonly by: readonly { readonly name: string; readonly expression: string }[];
      readonly values: readonly {
        readonly name: string;
        readonly function: 'sum' | 'mean';
        readonly column: string;
        readonly format: string | undefined;
      }[];
    };
