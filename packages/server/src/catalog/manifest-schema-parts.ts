import { type TProperties, Type } from 'typebox';

/** What the parts of the manifest's schema are made of. */

export const NAME = '[a-z][a-z0-9_]{0,62}';

/** An object whose keys are all known. */
export const closed = <Properties extends TProperties>(
  description: string,
  properties: Properties,
) => Type.Object(properties, { additionalProperties: false, description });

export const text = (description: string) => Type.String({ minLength: 1, description });

export const name = (description: string) => Type.String({ pattern: `^${NAME}$`, description });

export const datasetName = (description: string) =>
  Type.String({ pattern: `^${NAME}\\.${NAME}$`, description });

/** A value as it is written in YAML; whether it fits its field is checked with the field. */
export const scalar = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean()], { description });
