/** The organisation that the requests are made for. */
export const ORGANISATION = 'bench';
