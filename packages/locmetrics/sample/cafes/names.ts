/** A part of the city with some cafés. Its name, ZIP code, county and street are real; the cafés are not. */
export type Neighborhood = {
  readonly name: string;
  /** The start of the ids of its cafés. */
  readonly code: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  readonly county: string;
  readonly state: 'OR' | 'WA';
  readonly cafes: 2 | 3;
  /** The index of its café with a blurred place, if it has one. */
  readonly obfuscated?: number;
};

const portland = { city: 'Portland', county: '41051', state: 'OR', cafes: 2 } as const;

export const NEIGHBORHOODS: readonly Neighborhood[] = [
  {
    name: 'Pearl District',
    code: 'PEA',
    latitude: 45.5285,
    longitude: -122.6817,
    street: 'NW 11th Ave',
    zip: '97209',
    ...portland,
    cafes: 3,
  },
  {
    name: 'Nob Hill',
    code: 'NOB',
    latitude: 45.53,
    longitude: -122.6985,
    street: 'NW 23rd Ave',
    zip: '97210',
    ...portland,
  },
  {
    name: 'Downtown',
    code: 'DOW',
    latitude: 45.519,
    longitude: -122.68,
    street: 'SW Morrison St',
    zip: '97205',
    ...portland,
    cafes: 3,
  },
  {
    name: 'Hawthorne',
    code: 'HAW',
    latitude: 45.512,
    longitude: -122.629,
    street: 'SE Hawthorne Blvd',
    zip: '97214',
    ...portland,
    cafes: 3,
  },
  {
    name: 'Division',
    code: 'DIV',
    latitude: 45.5048,
    longitude: -122.628,
    street: 'SE Division St',
    zip: '97202',
    ...portland,
  },
  {
    name: 'Alberta',
    code: 'ALB',
    latitude: 45.559,
    longitude: -122.644,
    street: 'NE Alberta St',
    zip: '97211',
    ...portland,
  },
  {
    name: 'Mississippi',
    code: 'MIS',
    latitude: 45.553,
    longitude: -122.6755,
    street: 'N Mississippi Ave',
    zip: '97227',
    ...portland,
    obfuscated: 1,
  },
  {
    name: 'St. Johns',
    code: 'STJ',
    latitude: 45.5903,
    longitude: -122.7535,
    street: 'N Lombard St',
    zip: '97203',
    ...portland,
  },
  {
    name: 'Sellwood',
    code: 'SEL',
    latitude: 45.464,
    longitude: -122.653,
    street: 'SE 13th Ave',
    zip: '97202',
    ...portland,
  },
  {
    name: 'Hollywood',
    code: 'HOL',
    latitude: 45.5362,
    longitude: -122.62,
    street: 'NE Sandy Blvd',
    zip: '97212',
    ...portland,
  },
  {
    name: 'Montavilla',
    code: 'MON',
    latitude: 45.519,
    longitude: -122.58,
    street: 'SE Stark St',
    zip: '97215',
    ...portland,
  },
  {
    name: 'Woodstock',
    code: 'WOO',
    latitude: 45.4793,
    longitude: -122.615,
    street: 'SE Woodstock Blvd',
    zip: '97206',
    ...portland,
  },
  {
    name: 'Multnomah Village',
    code: 'MUL',
    latitude: 45.4683,
    longitude: -122.711,
    street: 'SW Capitol Hwy',
    zip: '97219',
    ...portland,
  },
  {
    name: 'Kenton',
    code: 'KEN',
    latitude: 45.583,
    longitude: -122.686,
    street: 'N Denver Ave',
    zip: '97217',
    ...portland,
  },
  {
    name: 'Beaverton',
    code: 'BEA',
    latitude: 45.487,
    longitude: -122.804,
    street: 'SW Broadway St',
    zip: '97005',
    city: 'Beaverton',
    county: '41067',
    state: 'OR',
    cafes: 3,
  },
  {
    name: 'Gresham',
    code: 'GRE',
    latitude: 45.499,
    longitude: -122.431,
    street: 'N Main Ave',
    zip: '97030',
    city: 'Gresham',
    county: '41051',
    state: 'OR',
    cafes: 3,
    obfuscated: 2,
  },
  {
    name: 'Vancouver',
    code: 'VAN',
    latitude: 45.628,
    longitude: -122.673,
    street: 'Main St',
    zip: '98660',
    city: 'Vancouver',
    county: '53011',
    state: 'WA',
    cafes: 3,
  },
];

/** Each has several cafés. */
export const BRANDS = ['Grey Heron Coffee', 'Umbrella Espresso', 'Third Bridge Bakery'] as const;

export const INDEPENDENT_NAMES: readonly string[] = [
  'Café Alder',
  'The Slow Kettle',
  'Moss & Maple',
  'Paper Lantern Coffee',
  'Bakery on the Corner',
  'Café Ondine',
  'Nine Cups',
  'Rosewater',
  'The Tin Roof',
  'Night Ferry Coffee',
  'Otter & Oak',
  'Café Mirabel',
  'The Copper Spoon',
  'Drizzle',
  'Saint Cinnamon Bakery',
  'Lamplight Coffee',
  'Fern Street Café',
  'The Quiet Mill',
  'Bluebird Beans',
  'Café Tilikum',
  'Harvest Bakery',
  'Two Rivers Coffee',
  'Small Hours',
  'The Green Door',
  'Café Solano',
  'Windowsill',
  'Morning Freight',
  'The Long Table',
];
