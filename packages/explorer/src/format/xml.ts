/** A text as XML has it, between tags or in quotes. */
export function escapeXml(content: string): string {
  return content.replace(CONTROL, ' ').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
// XML has no other control characters than tabs and ends of lines.
const CONTROL = /[\p{Cc}\uFFFE\uFFFF]/gu;
