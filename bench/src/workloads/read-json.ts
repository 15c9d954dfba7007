/** A member of a JSON object. Fails if there is none. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !(name in value)) {
    throw new Error(`The answer has no '${name}': ${JSON.stringify(value)?.slice(0, 200)}`);
  }
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** A JSON list. Fails if the value is something else. */
export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) {
    throw new Error(`The answer has no list: ${JSON.stringify(value)?.slice(0, 200)}`);
  }
  return value;
}

/** The members with these names, in this order. */
export function members(value: unknown, names: readonly string[]): readonly unknown[] {
  return names.map((name) => member(value, name));
}
