import { type CodeStyle, valueCode, writeCode } from './code.ts';
import { quoteForShell, quoteJson } from './quote.ts';

/** How a person writes JSON by hand. */
const JSON_STYLE: CodeStyle = {
  quote: quoteJson,
  name: (name) => `${quoteJson(name)}: `,
  group: { pad: '', isCommaLast: false, indent: 2 },
};

/** A command over several lines. It has no comments: some shells take none where they are typed. */
export function shellCommand(lines: readonly string[]): string {
  return lines.join(' \\\n  ');
}

/** The option with a message of JSON. */
export function dataOption(message: unknown): string {
  const json = writeCode(valueCode(message, JSON_STYLE), { indent: 2, before: 4, after: 3 });
  return `-d ${quoteForShell(json)}`;
}

/** The option with the token, or with the variable of it. */
export function authorizationOption(header: string, token: string | undefined): string {
  return token === undefined
    ? `-H "${header}: Bearer $LOCMETRICS_TOKEN"`
    : `-H ${quoteForShell(`${header}: Bearer ${token}`)}`;
}
