import {
  type DescEnum,
  type DescField,
  type DescFile,
  type DescMessage,
  type DescService,
  ScalarType,
} from '@bufbuild/protobuf';

/**
 * The descriptors of a package as sorted lines, each number with its name and type:
 *
 *     Record{fields=1 map<text,text>}
 *     Kind UNSPECIFIED=0 FIRST=1
 *     Service.Call(Request) → Response
 */
export function printWire(files: readonly DescFile[]): readonly string[] {
  return files
    .flatMap((file) => [
      ...file.messages.flatMap(withNested).map(printMessage),
      ...[...file.enums, ...file.messages.flatMap(withNested).flatMap((m) => m.nestedEnums)].map(
        printEnum,
      ),
      ...file.services.flatMap(printService),
    ])
    .toSorted();
}

const TYPE_NAMES: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: 'text',
  [ScalarType.INT32]: 'i32',
  [ScalarType.INT64]: 'i64',
  [ScalarType.DOUBLE]: 'double',
  [ScalarType.FLOAT]: 'float',
  [ScalarType.BOOL]: 'bool',
};

function withNested(message: DescMessage): readonly DescMessage[] {
  // The entries of a map are messages only inside protobuf.
  const nested = message.nestedMessages.filter(({ proto }) => !proto.options?.mapEntry);
  return [message, ...nested.flatMap(withNested)];
}

function printMessage(message: DescMessage): string {
  const members = message.members
    .map((member) =>
      member.kind === 'oneof'
        ? {
            number: Math.min(...member.fields.map(({ number }) => number)),
            text: `oneof ${member.name}{${byNumber(member.fields.map((field) => printField(field, message)))}}`,
          }
        : printField(member, message),
    )
    .concat(
      message.proto.reservedRange.map(({ start, end }) => ({
        number: start,
        text: `${start === end - 1 ? start : `${start}–${end - 1}`} unused`,
      })),
    );
  return `${nameWithin(message.file, message)}{${byNumber(members)}}`;
}

type Printed = { readonly number: number; readonly text: string };

function printField(field: DescField, { file }: DescMessage): Printed {
  return { number: field.number, text: `${field.name}=${field.number} ${printType(field, file)}` };
}

function printType(field: DescField, file: DescFile): string {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarName(field.scalar);
    case 'enum':
      return nameWithin(file, field.enum);
    case 'message':
      return nameWithin(file, field.message);
    case 'map':
      return `map<${scalarName(field.mapKey)},${printMapValue(field, file)}>`;
    case 'list':
      switch (field.listKind) {
        case 'scalar':
          return `rep ${scalarName(field.scalar)}`;
        case 'enum':
          return `rep ${nameWithin(file, field.enum)}`;
        case 'message':
          return `rep ${nameWithin(file, field.message)}`;
      }
  }
}

function printMapValue(field: DescField & { fieldKind: 'map' }, file: DescFile): string {
  switch (field.mapKind) {
    case 'scalar':
      return scalarName(field.scalar);
    case 'enum':
      return nameWithin(file, field.enum);
    case 'message':
      return nameWithin(file, field.message);
  }
}

function scalarName(type: ScalarType): string {
  return TYPE_NAMES[type] ?? ScalarType[type];
}

/** The name without the package. A name of another package only loses `unacast.`. */
function nameWithin({ proto }: DescFile, { typeName }: DescMessage | DescEnum): string {
  return typeName.startsWith(`${proto.package}.`)
    ? typeName.slice(proto.package.length + 1)
    : typeName.replace(/^unacast\./, '');
}

/** The values without the prefix that protobuf style requires. On the wire they are numbers. */
function printEnum(type: DescEnum): string {
  const values = type.values.map(({ name, number }) => ({
    number,
    text: `${name.slice(type.sharedPrefix?.length ?? 0)}=${number}`,
  }));
  return `${nameWithin(type.file, type)} ${byNumber(values, ' ')}`;
}

function printService({ name, file, methods }: DescService): readonly string[] {
  return methods.map(
    (method) =>
      `${name}.${method.name}(${nameWithin(file, method.input)}) → ${nameWithin(file, method.output)}` +
      (method.methodKind === 'unary' ? '' : ` ${method.methodKind}`),
  );
}

function byNumber(printed: readonly Printed[], separator = ', '): string {
  return printed
    .toSorted((a, b) => a.number - b.number)
    .map(({ text }) => text)
    .join(separator);
}
