/** The hint for each field that only newer clients know, by its name in JSON. */
const UNSERVED: ReadonlyMap<string, string> = new Map([
  ...['hour', 'minute', 'second'].map(
    (name) => [name, 'Leave it out: periods start and end with whole days.'] as const,
  ),
]);

/** The problem and the hint for a field that clients can send, and that the service does not serve yet. */
export function describeUnservedField(
  jsonName: string,
  /** The name as the caller writes it. */
  name: string,
): { readonly message: string; readonly hint: string } | undefined {
  const hint = UNSERVED.get(jsonName);
  if (hint === undefined) return undefined;
  return { message: `The field '${name}' is not served yet.`, hint };
}
