/**
 * A question about many rows with one parameter. Its SQL means the same to PostgreSQL, which has it in a function, and
 * to DuckDB, which also finds the right answers with it.
 */
export type AggregateQuery = {
  /** The name of the function. */
  readonly name: string;
  readonly parameterType: string;
  /** The names of the columns, and their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** The text of the query, given that of the parameter. */
  readonly sql: (parameter: string) => string;
};

/** The visits of the places of a category, by state and month. */
export const TOTALS: AggregateQuery = {
  name: 'visits_by_state',
  parameterType: 'text',
  columns: { us_state_2020: 'text', month: 'date', visits: 'float8' },
  sql: (category) => `
  SELECT us_state_2020, observation_start_date AS month, sum(visits)::float8 AS visits
  FROM visits JOIN places USING (location_id)
  WHERE category = ${category} AND NOT is_obfuscated
  GROUP BY 1, 2 ORDER BY 1, 2`,
};

/** The places whose visits grew most from the month before to a month. */
export const GROWN: AggregateQuery = {
  name: 'most_grown',
  parameterType: 'date',
  columns: { location_id: 'text', visits: 'float8', compared: 'float8', change: 'float8' },
  sql: (month) => `
  SELECT later.location_id, later.visits::float8 AS visits, earlier.visits::float8 AS compared,
    (later.visits - earlier.visits)::float8 AS change
  FROM visits AS later JOIN visits AS earlier ON earlier.location_id = later.location_id
  WHERE later.observation_start_date = ${month}
    AND earlier.observation_start_date = (${month} - INTERVAL '1 month')::date
  ORDER BY later.visits - earlier.visits DESC, later.location_id LIMIT 10`,
};

/** A quantile of the visits of all places, by month. */
export const QUANTILE: AggregateQuery = {
  name: 'visits_quantile',
  parameterType: 'float8',
  columns: { month: 'date', visits: 'float8' },
  sql: (quantile) => `
  SELECT observation_start_date AS month, percentile_cont(${quantile}) WITHIN GROUP (ORDER BY visits) AS visits
  FROM visits GROUP BY 1 ORDER BY 1`,
};

/** The visits of a place, by year. */
export const YEAR: AggregateQuery = {
  name: 'visits_by_year',
  parameterType: 'text',
  columns: { year: 'date', visits: 'float8' },
  sql: (place) => `
  SELECT date_trunc('year', observation_start_date)::date AS year, sum(visits)::float8 AS visits
  FROM visits WHERE location_id = ${place} GROUP BY 1 ORDER BY 1`,
};
