/** Lets only tokens with the scope `admin` use a route. */
export const ADMIN = { config: { access: 'admin' } } as const;
