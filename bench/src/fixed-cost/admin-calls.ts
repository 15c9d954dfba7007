import type { Target } from '../driver/load-order.ts';
import { list, member } from '../workloads/read-json.ts';

export type CreatedToken = {
  readonly organisation: string;
  readonly tokenId: string;
  readonly token: string;
};

/** The calls of the admin interface that the measurement needs. */
export type AdminCalls = {
  readonly post: (path: string, body: unknown) => Promise<unknown>;
  readonly put: (path: string, body: unknown) => Promise<unknown>;
  readonly createToken: (organisation: string) => Promise<CreatedToken>;
  readonly revokeToken: (tokenId: string) => Promise<void>;
  /** The names of the fields of a dataset. */
  readonly fieldsOf: (dataReferenceName: string) => Promise<readonly string[]>;
};

/** The headers of the target must carry a token of all scopes. */
export function adminCalls({ host, port, headers }: Target, billingContext: string): AdminCalls {
  const call = async (method: string, path: string, body: unknown): Promise<unknown> => {
    const response = await fetch(`http://${host}:${port}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  };
  const post: AdminCalls['post'] = (path, body) => call('POST', `/v1/admin/${path}`, body);
  return {
    post,
    put: (path, body) => call('PUT', `/v1/admin/${path}`, body),
    createToken: async (organisation) => {
      const created = await post('tokens', { organisationId: organisation, name: 'bench' });
      return {
        organisation,
        tokenId: String(member(created, 'tokenId')),
        token: String(member(created, 'token')),
      };
    },
    revokeToken: async (tokenId) => {
      await post(`tokens/${tokenId}/revoke`, {});
    },
    fieldsOf: async (dataReferenceName) => {
      const request = { dataReferenceName, billingContext };
      const described = await call('POST', '/v3/catalog/getDataReference', request);
      const fields = list(member(member(described, 'dataReference'), 'fields'));
      return fields.map((field) => String(member(field, 'name')));
    },
  };
}
