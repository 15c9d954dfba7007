import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { BODY_VALIDATION } from './read-bodies.ts';

/**
 * Compiles the schema of a route with its first request. A worker has some sixty routes and needs few of them often;
 * compiling all their schemas takes a sixth of its start.
 */
export function compileOnFirstUse(): FastifySchemaCompiler<object> {
  const ajv = new Ajv({ ...BODY_VALIDATION, addUsedSchema: false });
  return ({ schema }) => {
    let compiled: ValidateFunction | undefined;
    const validate: ReturnType<FastifySchemaCompiler<object>> = (value: unknown) => {
      compiled ??= ajv.compile(schema);
      const isValid = compiled(value);
      // Fastify reads the errors from the function.
      validate.errors = compiled.errors ?? null;
      return isValid;
    };
    return validate;
  };
}
