import { memoize } from '@locmetrics/core/runtime/memoize';
import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import { BODY_VALIDATION } from './read-bodies.ts';

/**
 * Compiles the schema of a route with its first request. A worker has some sixty routes and needs few of them often;
 * compiling all their schemas takes a sixth of its start. All servers of a process share the result.
 */
export const compileOnFirstUse: FastifySchemaCompiler<object> = ({ schema }) => {
  let compiled: ValidateFunction | undefined;
  const validate: ReturnType<FastifySchemaCompiler<object>> = (value: unknown) => {
    compiled ??= validatorOf(schema);
    const isValid = compiled(value);
    // Fastify reads the errors from the function.
    validate.errors = compiled.errors ?? null;
    return isValid;
  };
  return validate;
};

const validatorOf = memoize((schema: object) => ajv.compile(schema));

const ajv = new Ajv({ ...BODY_VALIDATION, addUsedSchema: false });
