import { type AdminClient, createAdminClient } from '@locmetrics/client/admin';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ADMIN_KEY } from '../../data/admin-queries.ts';
import { SERVICE_URL } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';

/** The client of the admin interface, with the token of the session. */
export function useAdmin(): AdminClient {
  const { token } = useSession();
  return useMemo(() => createAdminClient({ url: SERVICE_URL, token }), [token]);
}

export type Change = <Answer>(call: (admin: AdminClient) => Promise<Answer>) => Promise<Answer>;

/** Makes a change, then reads again what the admin views show. */
export function useChange(): Change {
  const admin = useAdmin();
  const queries = useQueryClient();
  return async (call) => {
    const answer = await call(admin);
    await queries.invalidateQueries({ queryKey: [ADMIN_KEY] });
    return answer;
  };
}
