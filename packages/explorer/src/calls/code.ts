/** A piece of code: a text that is not broken, or a group that is written on one line if it fits. */
export type Code = string | Group;

type Group = {
  readonly open: string;
  readonly close: string;
  readonly items: readonly Item[];
  readonly style: GroupStyle;
};

/** An item and what is before it, such as the name of a member. */
type Item = { readonly before: string; readonly code: Code };

type GroupStyle = {
  /** The members of an object on one line, without its braces. */
  readonly pad: '' | ' ';
  readonly isCommaLast: boolean;
  readonly indent: number;
};

/** Lines are broken at this width if they can be. */
export const WIDTH = 88;

/** How a language writes lists, objects and texts. */
export type CodeStyle = {
  readonly quote: (text: string) => string;
  readonly name: (name: string) => string;
  readonly group: GroupStyle;
  /** How truth values are written; as in JSON if absent. */
  readonly boolean?: (value: boolean) => string;
};

/** Code as text. `before` characters are before it on its first line, and `after` follow it on its last one. */
export function writeCode(
  code: Code,
  {
    indent = 0,
    before = 0,
    after = 0,
  }: { readonly indent?: number; readonly before?: number; readonly after?: number } = {},
): string {
  if (typeof code === 'string') return code;
  const flat = writeFlat(code);
  if (indent + before + flat.length + after <= WIDTH) return flat;
  const { open, close, items, style } = code;
  const inner = indent + style.indent;
  const lines = items.map(({ before: name, code: value }, index) => {
    const comma = index < items.length - 1 || style.isCommaLast ? ',' : '';
    const text = writeCode(value, { indent: inner, before: name.length, after: comma.length });
    return `${' '.repeat(inner)}${name}${text}${comma}`;
  });
  return `${open}\n${lines.join('\n')}\n${' '.repeat(indent)}${close}`;
}

/** A value of JSON as code of a language. */
export function valueCode(value: unknown, style: CodeStyle): Code {
  if (typeof value === 'string') return style.quote(value);
  if (Array.isArray(value)) {
    const items = value.map((one) => valueCode(one, style));
    return listCode(items, style);
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    const items = members.map(([name, member]) => ({
      before: style.name(name),
      code: valueCode(member, style),
    }));
    return { open: '{', close: '}', items, style: style.group };
  }
  if (typeof value === 'boolean' && style.boolean !== undefined) return style.boolean(value);
  return String(value);
}

export function listCode(items: readonly Code[], { group }: CodeStyle): Code {
  return {
    open: '[',
    close: ']',
    items: items.map((code) => ({ before: '', code })),
    style: { ...group, pad: '' },
  };
}

/** A call of a function: its arguments, and those by name. Arguments that are undefined are left out. */
export function callCode(
  name: string,
  style: CodeStyle,
  args: readonly Code[],
  named: Readonly<Record<string, Code | undefined>> = {},
): Code {
  const items = [
    ...args.map((code) => ({ before: '', code })),
    ...Object.entries(named).flatMap(([key, code]) =>
      code === undefined ? [] : [{ before: `${key}=`, code }],
    ),
  ];
  return { open: `${name}(`, close: ')', items, style: { ...style.group, pad: '' } };
}

/** Code on one line. */
export function writeFlat(code: Code): string {
  if (typeof code === 'string') return code;
  const { open, close, items, style } = code;
  if (items.length === 0) return open + close;
  const inside = items.map((item) => item.before + writeFlat(item.code)).join(', ');
  return open + style.pad + inside + style.pad + close;
}
