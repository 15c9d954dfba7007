import { type TObjectOptions, type TProperties, Type } from 'typebox';

/** An object with no other fields than these. */
export const closed = <Properties extends TProperties>(
  properties: Properties,
  options: TObjectOptions = {},
) => Type.Object(properties, { ...options, additionalProperties: false });
