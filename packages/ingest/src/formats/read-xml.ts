import sax from 'sax';
import { UnreadableText } from './unreadable-text.ts';

/** The parts of an XML document, in its order. Names are without their prefix. */
export type XmlEvent =
  | {
      readonly kind: 'open';
      readonly name: string;
      readonly attributes: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'close'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Reads a document of XML while its bytes arrive. A part of a workbook is always UTF-8. */
export async function* readXml(
  chunks: AsyncIterable<Buffer>,
  part: string,
): AsyncGenerator<readonly XmlEvent[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const xml = sax.parser(true);
  let events: XmlEvent[] = [];
  xml.onopentag = ({ name, attributes }) => {
    const entries = Object.entries(attributes).map(
      ([key, value]) => [localName(key), String(value)] as const,
    );
    events.push({ kind: 'open', name: localName(name), attributes: new Map(entries) });
  };
  xml.onclosetag = (name) => events.push({ kind: 'close', name: localName(name) });
  xml.ontext = (text) => events.push({ kind: 'text', text });
  xml.oncdata = (text) => events.push({ kind: 'text', text });
  xml.onerror = (error) => {
    throw new UnreadableText({
      reason: `has a part ${part} that is not XML (${error.message.split('\n')[0]})`,
      hint: 'Save the workbook again.',
    });
  };
  for await (const chunk of chunks) {
    xml.write(decoder.decode(chunk, { stream: true }));
    yield events;
    events = [];
  }
  xml.close();
  yield events;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
