/** The organisation of the requests. */
export const ORGANISATION = 'bench';
