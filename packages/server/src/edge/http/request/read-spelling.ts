import { describeUnservedField } from '@locmetrics/core/domain/unserved-field';
import { nameHint } from '@locmetrics/core/errors/nearest-name';
import { type ErrorDetail, ServiceError } from '@locmetrics/core/errors/service-error';

/** The part of a JSON Schema that the spelling depends on. */
type SchemaNode = {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
};

export type ReadSpelling = {
  /** The body with lowerCamelCase names, without null members, because null means absent. */
  readonly body: unknown;
  /** The pointers as written by the caller, if they differ, by the pointers of `body`. */
  readonly written: ReadonlyMap<string, string>;
};

/**
 * Parses a JSON body in either spelling, snake_case or lowerCamelCase, by the schema of its request.
 * Refuses an unknown name, and a field in both spellings.
 */
export function readSpelling(body: unknown, schema: SchemaNode): ReadSpelling {
  const written = new Map<string, string>();
  const read = (
    value: unknown,
    node: SchemaNode,
    pointer: string,
    callerPointer: string,
  ): unknown => {
    if (pointer !== callerPointer) written.set(pointer, callerPointer);
    const object = objectNode(node);
    if (isObject(value) && object !== undefined) {
      return readMembers(value, object, { pointer, callerPointer }, read);
    }
    if (Array.isArray(value) && node.items !== undefined) {
      const { items } = node;
      return value.map((item: unknown, index) => {
        const itemPointer = `${callerPointer}/${index}`;
        const isSame = pointer === callerPointer;
        return read(item, items, isSame ? itemPointer : `${pointer}/${index}`, itemPointer);
      });
    }
    return value;
  };
  return { body: read(body, schema, '', ''), written };
}

/** The pointers of an error as written by the caller. */
export function toWrittenPointers(
  details: readonly ErrorDetail[],
  written: ReadonlyMap<string, string>,
): readonly ErrorDetail[] {
  return details.map(({ pointer, detail }) => {
    let known = pointer;
    while (known !== '' && !written.has(known)) known = known.slice(0, known.lastIndexOf('/'));
    const start = written.get(known) ?? known;
    return { pointer: `${start}${pointer.slice(known.length)}`, detail };
  });
}

type Place = { readonly pointer: string; readonly callerPointer: string };

function readMembers(
  value: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, SchemaNode>>,
  { pointer, callerPointer }: Place,
  read: (value: unknown, node: SchemaNode, pointer: string, callerPointer: string) => unknown,
): Readonly<Record<string, unknown>> {
  const members: Record<string, unknown> = {};
  const spelledAs = new Map<string, string>();
  for (const [name, member] of Object.entries(value)) {
    const canonical = toLowerCamelCase(name);
    const isSpelled = name === canonical || name === toSnakeCase(canonical);
    const node =
      isSpelled && Object.hasOwn(properties, canonical) ? properties[canonical] : undefined;
    const memberPointer = `${callerPointer}/${escapePointer(name)}`;
    if (node === undefined) {
      const { message, hint } = describeUnservedField(canonical, name) ?? {
        message: `Unknown field '${name.slice(0, 100)}' in the request.`,
        hint: nameHint(name, Object.keys(properties)),
      };
      throw ServiceError.atPointer('UNKNOWN_REQUEST_FIELD', memberPointer, message, hint);
    }
    if (member === null) continue;
    const other = spelledAs.get(canonical);
    if (other !== undefined) {
      throw ServiceError.atPointer(
        'DUPLICATE_REQUEST_FIELD',
        memberPointer,
        `The field '${canonical}' appears in the request as '${other}' and as '${name}'.`,
        'Send it once.',
      );
    }
    spelledAs.set(canonical, name);
    // The same text is compared at once, an equal one is not.
    const isSame = name === canonical && pointer === callerPointer;
    const canonicalPointer = isSame ? memberPointer : `${pointer}/${canonical}`;
    members[canonical] = read(member, node, canonicalPointer, memberPointer);
  }
  return members;
}

/** The properties of the schema, or of its only object branch. */
function objectNode(node: SchemaNode): SchemaNode['properties'] {
  return node.properties ?? node.anyOf?.find((branch) => branch.properties)?.properties;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toLowerCamelCase(name: string): string {
  // Most names have one word, or none in snake_case.
  if (!name.includes('_')) return name;
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

export function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function escapePointer(name: string): string {
  if (!name.includes('~') && !name.includes('/')) return name;
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
