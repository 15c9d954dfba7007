import { type TileFilters, TileFiltersSchema } from '@locmetrics/contract';
import type { FilterClause } from '@locmetrics/core/domain/filter';
import { ServiceError } from '@locmetrics/core/errors/service-error';
import { Ajv } from 'ajv';
import { BODY_VALIDATION } from './read-bodies.ts';
import { readJsonBody } from './read-json-body.ts';
import { readSpelling } from './read-spelling.ts';
import { toInvalidRequest } from './validation-error.ts';

/** The JSON list of filters, in either spelling. The document knows it as a text, so its shape is refused as a value. */
export function readFiltersParameter(text: string): readonly FilterClause[] {
  if (text === '') return [];
  try {
    return parseFilters(text);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { reason, message, details, hint } = error;
    const isJson = reason !== 'MALFORMED_JSON';
    const said = isJson ? message : `The parameter 'filters' is not JSON: '${text.slice(0, 100)}'.`;
    throw new ServiceError('INVALID_FILTER_VALUE', said, {
      hint: reason === 'UNKNOWN_REQUEST_FIELD' ? hint : WRITTEN_AS,
      details: isJson ? details : [{ pointer: '/filters', detail: said }],
    });
  }
}

const WRITTEN_AS =
  'Write the list as in the body of listRecords, and percent-encode it as part of a URL: [{"fieldName":"region","operator":"==","value":"CA"}].';

function parseFilters(text: string): readonly FilterClause[] {
  // The schemas of the contract are plain JSON Schema objects.
  const schema = TileFiltersSchema as object;
  const { body } = readSpelling({ filters: readJsonBody(Buffer.from(text)) }, schema);
  if (!isTileFilters(body)) throw toInvalidRequest(isTileFilters.errors ?? []);
  return body.filters.map(({ fieldName, operator, value, values }) => ({
    fieldName,
    operator,
    value: value ?? '',
    values: values ?? [],
  }));
}

const isTileFilters = new Ajv(BODY_VALIDATION).compile<TileFilters>(TileFiltersSchema);

/** Names separated by commas. */
export function readNamesParameter(text: string): readonly string[] {
  return text === '' ? [] : text.split(',').map((name) => name.trim());
}
