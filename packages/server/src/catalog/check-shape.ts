import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { nameHint } from '../domain/nearest-name.ts';
import type { Report } from './manifest-report.ts';
import { type ManifestDocument, ManifestSchema } from './manifest-schema.ts';

/** Checks the shape of a manifest; undefined when it is wrong, and then everything is reported. */
export function checkShape(value: unknown, report: Report): ManifestDocument | undefined {
  if (validateShape(value)) {
    // The schema that was just checked is the type's own.
    return value as ManifestDocument;
  }
  for (const error of validateShape.errors ?? []) reportShape(error, report);
  return undefined;
}

const validateShape = new Ajv2020({ allErrors: true, strict: false, verbose: true }).compile(
  ManifestSchema,
);

function reportShape(error: ErrorObject, report: Report): void {
  const keys = error.instancePath
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { parentSchema, params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const unknown = String(params['additionalProperty']);
      const known = Object.keys(parentSchema?.['properties'] ?? {});
      const pattern = Object.keys(parentSchema?.['patternProperties'] ?? {})[0];
      if (pattern === undefined) {
        report([...keys, unknown], `Unknown key '${unknown}'.`, nameHint(unknown, known));
      } else {
        report([...keys, unknown], `The name '${unknown}' does not match ${pattern}.`);
      }
      return;
    }
    case 'required':
      report(keys, `The key '${String(params['missingProperty'])}' is missing.`);
      return;
    case 'enum': {
      const allowed: readonly unknown[] = parentSchema?.['enum'] ?? [];
      report(
        keys,
        `Unknown value '${String(error.data)}'.`,
        nameHint(String(error.data), allowed.map(String)),
      );
      return;
    }
    case 'const':
      report(
        keys,
        `Expected ${JSON.stringify(params['allowedValue'])}, found ${JSON.stringify(error.data)}.`,
      );
      return;
    case 'anyOf':
      // Its branches have reported themselves.
      return;
    case 'type':
      report(
        keys,
        `Expected ${String(params['type'])}, found ${JSON.stringify(error.data)}.`,
        params['type'] === 'string'
          ? 'Put quotes around a text that looks like a number.'
          : undefined,
      );
      return;
    default:
      report(keys, `${JSON.stringify(error.data)} ${error.message ?? 'is not valid'}.`);
  }
}
