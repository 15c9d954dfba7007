import { type DescribedApi, withTypeScriptSamples } from './typescript-samples.ts';

/**
 * The `fetch` of the viewer: the OpenAPI document gets the examples for the TypeScript client. They are in the copy of the
 * viewer alone, because they follow from the document.
 */
export function fetchWithSamples({
  service,
  documentUrl,
}: {
  readonly service: string;
  readonly documentUrl: string;
}): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const url = input instanceof Request ? input.url : String(input);
    if (url !== documentUrl || !answer.ok) return answer;
    const api: DescribedApi = await answer.json();
    return Response.json(withTypeScriptSamples(api, service));
  };
}
