/**
 * The offset at which a YAML text is nested deeper than any that people write; undefined if it is not. Parsers of YAML
 * take seconds for such a text, and then pass the limit of their stack. Brackets in texts count too, which is no
 * matter: a text has as many closing ones.
 */
export function findDeepNesting(text: string): number | undefined {
  let brackets = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') {
      brackets += 1;
      if (brackets > DEPTH_MAX) return at;
    } else if (character === ']' || character === '}') brackets = Math.max(0, brackets - 1);
  }
  return DEEP_LINE.exec(text)?.index;
}

const DEPTH_MAX = 500;

/** A line that is indented so far, or that begins so many lists. */
const DEEP_LINE = new RegExp(`^(?: {${2 * DEPTH_MAX}}| *(?:[-?:] +){${DEPTH_MAX}})`, 'm');
