import { snake } from './valid-name.ts';

/** How a number counts time: the days of a spreadsheet, or the time since 1970. */
export type Moment = 'days' | 'seconds' | 'milliseconds' | 'microseconds';

/** Finds numbers that count time, by the name of their column and by their range. */
export function findMoment(column: string, texts: readonly string[]): Moment | undefined {
  const name = snake(column);
  if (!TIME_NAME.test(name)) return undefined;
  const numbers = texts.map((text) => text.trim());
  if (numbers.length === 0 || !numbers.every((text) => /^\d+([.]\d+)?$/.test(text)))
    return undefined;
  const within = (least: number, greatest: number) =>
    numbers.every((text) => Number(text) >= least && Number(text) < greatest);
  if (DAY_NAME.test(name) && within(SERIAL_MIN, SERIAL_MAX)) return 'days';
  if (within(EPOCH_MIN, EPOCH_MAX)) {
    // Statistics offices write years and months with zeros behind them: 2018000000.
    const areRound = numbers.every((text) => Number(text) % 100_000 === 0);
    return areRound ? undefined : 'seconds';
  }
  if (within(EPOCH_MIN * 1e3, EPOCH_MAX * 1e3)) return 'milliseconds';
  return within(EPOCH_MIN * 1e6, EPOCH_MAX * 1e6) ? 'microseconds' : undefined;
}

const TIME_NAME =
  /(^|_)(date|day|month|week|period|time|times|timestamp|datetime|ts|epoch|unix|unixtime|utc|start|end|begin|created|updated|modified|observed|measured|reported|recorded|seen|fetched|scraped|at|datum|zeit|zeitpunkt|tag|monat|fecha|hora|dia|giorno|jour|heure|stamp)($|_)|(date|time|timestamp|stamp)$|^t$/;
const DAY_NAME =
  /(^|_)(date|day|month|week|period|datetime|start|end|begin|created|updated|modified|datum|tag|monat|fecha|dia|giorno|jour)($|_)|(date|datetime)$/;

/** 1950-01-01 to 2070-01-01 as days of a spreadsheet. */
const SERIAL_MIN = 18_264;
const SERIAL_MAX = 62_093;
/** 1980-01-01 to 2070-01-01 as seconds. */
const EPOCH_MIN = 315_532_800;
const EPOCH_MAX = 3_155_760_000;

/** SQL of the time, in UTC. */
export function momentSql(text: string, moment: Moment): string {
  const number = `CAST(trim(${text}) AS DOUBLE)`;
  switch (moment) {
    case 'days':
      return `make_timestamp(CAST(round((${number} - 25569) * 86400) AS BIGINT) * 1000000)`;
    case 'seconds':
      return `make_timestamp(CAST(floor(${number}) AS BIGINT) * 1000000)`;
    case 'milliseconds':
      return `make_timestamp(CAST(floor(${number}) AS BIGINT) * 1000)`;
    case 'microseconds':
      return `make_timestamp(CAST(floor(${number}) AS BIGINT))`;
  }
}

/** SQL of the day. */
export function momentDaySql(text: string, moment: Moment): string {
  return `CAST(${momentSql(text, moment)} AS DATE)`;
}

const DAY_OF: Readonly<Record<Moment, number>> = {
  days: 1,
  seconds: 86_400,
  milliseconds: 86_400e3,
  microseconds: 86_400e6,
};

/** Whether all times are at midnight. */
export function areMidnights(texts: readonly string[], moment: Moment): boolean {
  return texts.every((text) => Number(text) % DAY_OF[moment] === 0);
}

/** What the owner has to know about it, with an example. */
export function momentDoubt(texts: readonly string[], moment: Moment): string {
  const example = texts[0]?.trim() ?? '';
  const days = Number(example) / DAY_OF[moment] - (moment === 'days' ? 25_569 : 0);
  const time = new Date(Math.round(days * 86_400) * 1000).toISOString();
  const day = time.slice(0, 10);
  if (moment === 'days') {
    return `The numbers are read as the days of a spreadsheet: ${example} is ${day}.`;
  }
  return `The numbers are read as ${moment} since 1970 in UTC: ${example} is ${time.slice(0, 16).replace('T', ' ')}. If the day is that of another time zone, write timezone('America/Los_Angeles', timezone('UTC', …)) around make_timestamp.`;
}
