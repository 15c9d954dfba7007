/** The colours of the map. A canvas knows no CSS, so those of the theme are repeated here. */
export type Palette = {
  /** Around a saved map. */
  readonly page: string;
  readonly water: string;
  readonly land: string;
  readonly border: string;
  readonly countyBorder: string;
  readonly label: string;
  readonly ink: string;
  /** Between areas in colours. */
  readonly areaBorder: string;
  readonly point: string;
  readonly pointBorder: string;
  readonly noValue: string;
  readonly accent: string;
  readonly outsideBox: string;
  /** From few to many. Light and dark of the steps differ too, so that no colour sense is needed. */
  readonly ramp: readonly string[];
  /** From the smallest to the greatest fall, and rise. Orange and blue differ for every colour sense. */
  readonly falls: readonly string[];
  readonly rises: readonly string[];
  /** A class on both sides of zero. */
  readonly zero: string;
  /** Apart for colour-blind readers too (Okabe and Ito). */
  readonly categories: readonly string[];
  readonly otherCategories: string;
};

/** The colours of the series of a chart, `--series-1` to `--series-6` of the theme. */
const SERIES_COLOURS: Readonly<Record<'light' | 'dark', readonly string[]>> = {
  light: ['#0072b2', '#c2500a', '#00795a', '#a84a86', '#8a6500', '#5b4bb5'],
  dark: ['#56b4e9', '#f08a3c', '#2fc79a', '#e39ac6', '#e6c229', '#a99cf0'],
};

export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  // The ramp is YlGnBu of ColorBrewer without its palest step.
  light: {
    page: '#ffffff',
    water: '#dfe8ec',
    land: '#fafbfa',
    border: '#a9b7bf',
    countyBorder: '#dfe5e8',
    label: '#55656f',
    ink: '#13212a',
    areaBorder: '#ffffff',
    point: '#0072b2',
    pointBorder: '#ffffff',
    noValue: '#8a979e',
    accent: '#0f766e',
    outsideBox: '#13212a',
    ramp: ['#c7e9b4', '#7fcdbb', '#41b6c4', '#1d91c0', '#225ea8', '#0c2c84'],
    // The ends of PuOr and of RdBu of ColorBrewer.
    falls: ['#fdb863', '#e08214', '#b35806'],
    rises: ['#92c5de', '#4393c3', '#2166ac'],
    zero: '#e4e6e7',
    categories: SERIES_COLOURS.light,
    otherCategories: '#8a979e',
  },
  // The ramp is viridis without its darkest step.
  dark: {
    page: '#161e22',
    water: '#0f1518',
    land: '#1d272c',
    border: '#51626c',
    countyBorder: '#2b373e',
    label: '#a3b1b9',
    ink: '#ffffff',
    areaBorder: '#0f1518',
    point: '#56b4e9',
    pointBorder: '#0f1518',
    noValue: '#74848d',
    accent: '#2dd4bf',
    outsideBox: '#000000',
    ramp: ['#46529c', '#2f7d96', '#22a884', '#5ec962', '#addc30', '#fde725'],
    falls: ['#7d5126', '#c47d2e', '#ffbd70'],
    rises: ['#2f628a', '#4f9fd0', '#a9daf8'],
    zero: '#46535a',
    categories: SERIES_COLOURS.dark,
    otherCategories: '#74848d',
  },
};
