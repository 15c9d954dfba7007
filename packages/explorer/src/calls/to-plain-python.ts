import type { Call, CallContext, CallText } from './call.ts';
import { type CodeStyle, valueCode, writeCode } from './code.ts';
import { isPaged } from './extent.ts';
import { httpRequest } from './http-request.ts';
import { quotePython } from './quote.ts';

const STYLE: CodeStyle = {
  quote: quotePython,
  name: (name) => `${quotePython(name)}: `,
  group: { pad: '', isCommaLast: true, indent: 4 },
  boolean: (value) => (value ? 'True' : 'False'),
};

/** The call as a program of Python without any package, for what the published client has no function for. */
export function toPlainPython(call: Call, { url, organisationId, token }: CallContext): CallText {
  const { path, body, rows } = httpRequest(call, organisationId);
  const authorization =
    token === undefined
      ? `f"Bearer {os.environ['LOCMETRICS_TOKEN']}"`
      : quotePython(`Bearer ${token}`);
  return {
    text: [
      'import json',
      ...(token === undefined ? ['import os'] : []),
      'from urllib.request import Request, urlopen',
      '',
      `request = ${writeCode(valueCode(body, STYLE), { before: 'request = '.length })}`,
      'call = Request(',
      `    ${quotePython(url + path)},`,
      '    data=json.dumps(request).encode(),',
      '    headers={',
      `        "Authorization": ${authorization},`,
      '        "Content-Type": "application/json",',
      '    },',
      ')',
      'with urlopen(call) as answer:',
      `    rows = json.load(answer)[${quotePython(rows)}]`,
      'for row in rows:',
      `    print(${rows === 'records' ? 'row["fields"]' : 'row'})`,
    ].join('\n'),
    variables: token === undefined ? ['LOCMETRICS_TOKEN'] : [],
    notes: [
      'It needs no package: unacatlib has no function for this call.',
      ...(isPaged(call)
        ? ['The answer is one page. For the next page, add its nextPageToken as pageToken.']
        : []),
    ],
  };
}
