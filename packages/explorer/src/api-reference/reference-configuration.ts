import type { createApiReference } from '@scalar/api-reference';
import { readScheme } from '../ui/scheme.ts';
import { fetchWithSamples } from './fetch-with-samples.ts';

type Configuration = Exclude<Parameters<typeof createApiReference>[1], readonly unknown[]>;

/** How the viewer shows the OpenAPI document of the service. It loads nothing else, and tells nobody about its use. */
export function referenceConfiguration({
  service,
  token,
}: {
  readonly service: string;
  /** The token that calls from the page carry. Without it, the reader enters one. */
  readonly token: string | undefined;
}): Configuration {
  const documentUrl = `${service}/openapi.json`;
  return {
    url: documentUrl,
    customFetch: fetchWithSamples({ service, documentUrl }),
    // The token is in the memory of the page alone.
    persistAuth: false,
    authentication: {
      preferredSecurityScheme: 'token',
      securitySchemes: { token: { token: token ?? '' } },
    },
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'json',
    // The colours are those of page.css, in both schemes.
    theme: 'none',
    hideDarkModeToggle: true,
    forceDarkModeState: readScheme(),
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    featuredClients: ['shell/curl', 'python/requests', 'js/fetch', 'node/fetch'],
    setPageTitle: ({ title }) => `${title} – Locmetrics API`,
  };
}
